import type { OutputAsset, OutputBundle, OutputChunk } from 'rolldown'
import { build, type Plugin } from 'vite'

const early = 'early.js'

/** The frame of all pages of an organization, and the lists. */
const named = {
  frame: 'shell/shell.tsx',
  people: 'routes/people/page.tsx',
  companies: 'routes/companies/page.tsx',
}

/**
 * Names in index.html the files that the pages of an organization need first, so that the browser loads them beside the
 * first file, and not after it. They are between `<!--files of frame-->`, for example, and `<!--end-->`. The
 * server removes the files that the page of an address does not need (src/console/pages.ts).
 */
export function firstFiles(): Plugin {
  return {
    name: 'first-files',
    apply: 'build',
    async buildStart() {
      this.emitFile({ type: 'asset', name: early, source: await earlyScript() })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => (bundle ? withLinks(html, bundle) : html),
    },
  }
}

function withLinks(html: string, bundle: OutputBundle): string {
  const files = Object.values(bundle)
  const entries = files.filter((file) => file.type === 'chunk' && file.isEntry)
  const added = (module: string, known: ReadonlySet<string>) => {
    const file = files.find(
      (each) => each.type === 'chunk' && each.facadeModuleId?.endsWith(`console/src/${module}`),
    )
    if (!file) throw new Error(`There is no file of ${module}`)
    return filesOf(bundle, [file]).difference(known)
  }
  const first = filesOf(bundle, entries)
  const frame = added(named.frame, first)
  const known = first.union(frame)
  const script = files.find((file) => file.type === 'asset' && file.names.includes(early))
  if (!script) throw new Error(`There is no ${early}`)
  const asking = `<script type="module" async crossorigin src="/console/${script.fileName}"></script>`
  const links = [
    blockOf('frame', linksTo(frame)),
    blockOf('people', linksTo(added(named.people, known))),
    blockOf('companies', linksTo(added(named.companies, known))),
  ]
  // The first script comes first, and the font last.
  const [font = ''] = /<link rel="preload"[^>]*>/.exec(html) ?? []
  return html
    .replace(font, '')
    .replace('<title>', `${blockOf('frame', asking)}<title>`)
    .replace('</head>', `${links.join('')}${font}</head>`)
}

const blockOf = (name: string, links: string) => `<!--files of ${name}-->${links}<!--end-->`

const linksTo = (names: ReadonlySet<string>): string =>
  [...names]
    .map((name) => {
      const rel = name.endsWith('.css') ? 'stylesheet' : 'modulepreload'
      return `<link rel="${rel}" crossorigin href="/console/${name}">`
    })
    .join('')

/** The names of files, and of the scripts and styles that they import. */
function filesOf(bundle: OutputBundle, files: readonly (OutputAsset | OutputChunk)[]): Set<string> {
  const names = new Set<string>()
  const add = (file: OutputAsset | OutputChunk | undefined) => {
    if (file?.type !== 'chunk' || names.has(file.fileName)) return
    names.add(file.fileName)
    for (const name of file.imports) add(bundle[name])
    for (const name of file.viteMetadata?.importedCss ?? []) names.add(name)
  }
  for (const file of files) add(file)
  return names
}

/** The script that asks for the first data, with all that it imports. */
async function earlyScript(): Promise<string> {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: { input: 'src/early.ts' },
    },
  })
  const chunks = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  const [chunk] = chunks.filter((each) => each.type === 'chunk')
  if (!chunk || chunks.length > 1) throw new Error(`${early} needs other files`)
  return chunk.code
}
