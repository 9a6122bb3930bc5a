// Bundles the script for web pages. Its files are committed, so that the server needs no build.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OutputOptions, rolldown } from 'rolldown'
import { version } from '../sdk-browser/src/version.ts'
import { projectRoot } from '../src/platform/config.ts'

const folder = 'sdk-browser/dist'
/** The oldest supported browsers: Safari 14, and others of that time. */
const target = 'es2020'

/** The files of the current version, by their path in the project: for `<script>`, and as an ES module. */
export async function browserSdkFiles(): Promise<Record<string, string>> {
  return {
    [`${folder}/${version}.js`]: await bundled('script.ts', 'iife'),
    [`${folder}/${version}.mjs`]: await bundled('module.ts', 'esm'),
    [`${folder}/forms-${version}.js`]: await bundled('forms-script.ts', 'iife'),
  }
}

/** Files of earlier versions stay: pages that name a version with its hash must find the same bytes. */
export async function writeBrowserSdk(): Promise<void> {
  for (const [path, source] of Object.entries(await browserSdkFiles())) {
    mkdirSync(join(projectRoot, folder), { recursive: true })
    writeFileSync(join(projectRoot, path), source)
  }
}

async function bundled(entry: string, format: NonNullable<OutputOptions['format']>): Promise<string> {
  const input = join(projectRoot, 'sdk-browser/src', entry)
  const bundle = await rolldown({ input, platform: 'browser', transform: { target } })
  const { output } = await bundle.generate({ format, minify: true, comments: false })
  await bundle.close()
  return output[0].code
}
