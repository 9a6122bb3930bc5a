import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../platform/config.ts'

const folder = join(projectRoot, 'sdk-browser/dist')
const named = /^(?<part>forms-)?(?<version>(?<major>\d+)\.\d+\.\d+)\.(?<kind>m?js)$/

export type SdkFile = {
  /** Below /sdk: `1.0.0.js`, or `v1.js` for the newest version. `forms-1.0.0.js` shows and watches forms. */
  name: string
  body: Buffer
  /** True if the name has a version: then the content never changes. */
  isPinned: boolean
  /** The hash for the attribute `integrity` (W3C, Subresource Integrity). */
  integrity: string
}

/** Returns the committed files of the script for web pages: each version, and the newest of each major version. */
export function sdkFiles(): SdkFile[] {
  const pinned = readdirSync(folder)
    .filter((name) => named.test(name))
    .toSorted(new Intl.Collator('en', { numeric: true }).compare)
    .map((name) => fileOf(name, readFileSync(join(folder, name)), true))
  const newest = new Map(
    pinned.map(({ name, body }) => {
      const { part = '', major, kind } = named.exec(name)?.groups ?? {}
      return [`${part}v${major}.${kind}`, body]
    }),
  )
  return [...pinned, ...[...newest].map(([name, body]) => fileOf(name, body, false))]
}

const fileOf = (name: string, body: Buffer, isPinned: boolean): SdkFile => ({
  ...{ name, body, isPinned },
  integrity: `sha384-${hash('sha384', body, 'base64')}`,
})
