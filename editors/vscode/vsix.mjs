// Writes bid-VERSION.vsix, which VS Code installs from a file: what `npm pack` would pack, with the two lists that VS Code wants.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";

const about = JSON.parse(readFileSync("package.json", "utf8"));
const [packed] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const manifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${about.name}" Version="${about.version}" Publisher="${about.publisher}"/>
    <DisplayName>${escaped(about.displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(about.description)}</Description>
    <Categories>${escaped(about.categories.join(","))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(about.engines.vscode)}"/>
    </Properties>
    <License>extension/LICENSE</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
`;

const types = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".js" ContentType="application/javascript"/>
  <Default Extension=".md" ContentType="text/markdown"/>
  <Default Extension=".txt" ContentType="text/plain"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
  <Override PartName="/extension/LICENSE" ContentType="text/plain"/>
</Types>
`;

const files = { "extension.vsixmanifest": strToU8(manifest), "[Content_Types].xml": strToU8(types) };
for (const { path } of packed.files) files[`extension/${path}`] = readFileSync(path);
const name = `${about.name}-${about.version}.vsix`;
// The same bytes from the same files.
writeFileSync(name, zipSync(files, { mtime: new Date("2026-01-01") }));
console.log(`${name}: ${Object.keys(files).length} files`);
