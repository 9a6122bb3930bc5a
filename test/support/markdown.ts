import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../src/platform/config.ts'

export type Block = { language: string; text: string; where: string }

export type Page = { file: string; text: string; blocks: Block[] }

function readPage(file: string): Page {
  const text = readFileSync(join(projectRoot, file), 'utf8')
  // A block in a list is indented.
  const fences = text.matchAll(/^( *)```(.*)\n([\s\S]*?)^\1```$/gm)
  const blocks = [...fences].map(({ 1: indent, 2: language, 3: body, index }) => ({
    language: language!,
    text: body!.replaceAll(RegExp(`^${indent}`, 'gm'), ''),
    where: `${file}:${text.slice(0, index).split('\n').length}`,
  }))
  return { file, text, blocks }
}

export const allPages: Page[] = globSync(['*.md', 'docs/**/*.md'], { cwd: projectRoot })
  .toSorted()
  .map(readPage)

/** All pages except decisions and changes, which describe the past. */
export const pages = allPages.filter(({ file }) => !/^CHANGELOG|^docs\/decisions\//.test(file))

export const pageNamed = (file: string): Page => pages.find((page) => page.file === file)!

/** The code spans of texts and tables. */
export function spansOf({ text }: Page): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/`([^`]+)`/g)].map(([, span]) => span!.replaceAll(/\s+/g, ' '))
}
