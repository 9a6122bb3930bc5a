import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SignatureTemplate } from '../src/signatures/compile/compile.ts'
import type { SignatureData } from '../src/signatures/compile/signature-data.ts'

export type SignatureExample = { name: string; template: SignatureTemplate; data: SignatureData }

const folder = join(import.meta.dirname, '../docs/signatures/examples')

/** Reads the examples. Each has name.html and name.json; some also have name.txt. */
export function signatureExamples(): SignatureExample[] {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.html'))
    .map((file) => file.slice(0, -'.html'.length))
  return names.sort().map((name) => {
    const read = (ending: string) => readFileSync(join(folder, `${name}.${ending}`), 'utf8')
    const text = existsSync(join(folder, `${name}.txt`)) ? read('txt') : null
    return { name, template: { html: read('html'), text }, data: JSON.parse(read('json')) }
  })
}
