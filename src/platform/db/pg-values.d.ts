declare module 'pg/lib/utils.js' {
  const utils: { prepareValue(value: unknown): string | Buffer | null }
  // biome-ignore lint/style/noDefaultExport: a CommonJS module has no other
  export default utils
}
