import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { projectRoot } from '../platform/config.ts'
import { groups } from './groups.ts'

/** A page of the documentation. `file` is its path in the repository, and `path` its address on the server. */
export type GuidePage = { file: string; path: string; title: string; summary: string; text: string }

/** Pages that the navigation lists below one title. */
export type PageGroup = { title: string; pages: GuidePage[] }

export type Documentation = {
  pages: GuidePage[]
  groups: PageGroup[]
  /** The pictures of the documentation, by address. */
  pictures: Map<string, Buffer>
  /** The address of a link in `file`; null if the server does not serve its target. */
  resolve(file: string, link: string): string | null
}

const folders = [
  { title: 'Reference', has: /^docs\/reference\// },
  { title: 'Explanation', has: /^docs\/explanation\/|^docs\/architecture\.md$|^SECURITY\.md$/ },
  { title: 'Decisions', has: /^docs\/decisions\// },
]

/**
 * Lists the documentation, and reads its pages. The server serves only the listed files, so no address leads to
 * another file.
 */
export async function openDocumentation(): Promise<Documentation> {
  const files = globSync(['docs/**/*.{md,png}', 'SECURITY.md'], { cwd: projectRoot }).toSorted()
  const addresses = new Map(files.map((file) => [file, addressOf(file)]))
  const pages = await Promise.all(
    [...addresses].filter(([file]) => file.endsWith('.md')).map(([file, path]) => readPage(file, path)),
  )
  const pictures = await Promise.all(
    [...addresses]
      .filter(([file]) => file.endsWith('.png'))
      .map(async ([file, path]) => [path, await readFile(join(projectRoot, file))] as const),
  )
  const byFile = new Map(pages.map((page) => [page.file, page]))
  return {
    pages,
    groups: [
      ...groups.map(({ title, folder, guides }) => ({
        title,
        pages: Object.keys(guides).flatMap((name) => byFile.get(fileOf(name, folder)) ?? []),
      })),
      ...folders.map(({ title, has }) => ({ title, pages: pages.filter(({ file }) => has.test(file)) })),
    ],
    pictures: new Map(pictures),
    resolve(file, link) {
      if (/^(https?:|#)/.test(link)) return link
      const [target = '', anchor] = link.split('#')
      const address = addresses.get(posix.join(posix.dirname(file), target))
      return address === undefined ? null : address + (anchor === undefined ? '' : `#${anchor}`)
    },
  }
}

const fileOf = (guide: string, folder = 'guides') => `docs/${folder}/${guide}.md`
const summaries = new Map(
  groups.flatMap(({ guides, folder }) =>
    Object.entries(guides).map(([name, summary]) => [fileOf(name, folder), summary]),
  ),
)

/**
 * The address of a file: `docs/guides/sync.md` becomes `/guides/sync`, and `docs/reference/api.md` becomes
 * `/guides/reference/api`.
 */
function addressOf(file: string): string {
  const name = file.replace(/^docs\/(guides\/)?/, '').replace(/\.md$/, '')
  return name === 'README' ? '/guides' : `/guides/${name.toLowerCase()}`
}

async function readPage(file: string, path: string): Promise<GuidePage> {
  const text = await readFile(join(projectRoot, file), 'utf8')
  const title = plain(/^# (.*)$/m.exec(text)?.[1] ?? path)
  return { file, path, title, summary: summaries.get(file) ?? summaryOf(text), text }
}

/** Returns the first sentence of the first paragraph, without formatting. */
function summaryOf(text: string): string {
  const paragraph = text.split(/\n{2,}/).find((block) => /^[\p{L}`*[]/u.test(block)) ?? ''
  return plain(/^.*?[.:](?=\s|$)/s.exec(paragraph)?.[0] ?? '').replace(/:$/, '.')
}

const plain = (markdown: string) =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/^\d+\. /, '')
    .trim()
