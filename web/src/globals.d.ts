// Whether the page is static files with the engine as wasm: set by the bundler.
declare const STATIC_PAGE: boolean;

declare module "*.bid" {
  const text: string;
  export default text;
}
