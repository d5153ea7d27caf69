// A program in a link: compressed, in letters that addresses may have, after `#p=`. Nothing of it goes to any server.

const LONGEST = 1 << 20;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    length += part.value.length;
    if (length > LONGEST) throw new Error("the program in this link is too long");
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

// The address of a playground with a program in it; this page is one, or it has the address of one.
export async function linkTo(text: string, playground = `${location.origin}${location.pathname}`): Promise<string> {
  const packed = await through(new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>, new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  const code = letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${playground}#p=${code}`;
}

// The program in a link, if there is one.
export async function programIn(hash: string): Promise<string | null> {
  const code = /^#p=([\w-]+)$/.exec(hash)?.[1];
  if (!code) return null;
  const letters = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(await through(packed, new DecompressionStream("deflate-raw")));
}
