import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** A file of the built console in each encoding that browsers accept. */
export type Asset = {
  contentType: string
  etag: string
  plain: Buffer
  /** null for a file that is already compressed, such as a font. */
  br: Buffer | null
  gzip: Buffer | null
}

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/**
 * Reads the files of console/dist into memory, by their name in the address. A requested path thus never reaches the
 * disk. null: the console is not built.
 */
export function readAssets(dist: string): { page: string; assets: Map<string, Asset> } | null {
  const folder = join(dist, 'assets')
  if (!existsSync(folder)) return null
  const assets = new Map<string, Asset>()
  for (const name of readdirSync(folder)) {
    const contentType = contentTypes[extname(name)]
    if (!contentType) continue
    const encoded = (suffix: string) => {
      const path = join(folder, name + suffix)
      return existsSync(path) ? readFileSync(path) : null
    }
    const plain = readFileSync(join(folder, name))
    const etag = `W/"${hash('sha256', plain).slice(0, 32)}"`
    assets.set(name, { contentType, etag, plain, br: encoded('.br'), gzip: encoded('.gz') })
  }
  return { page: readFileSync(join(dist, 'index.html'), 'utf8'), assets }
}
