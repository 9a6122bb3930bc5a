import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { firstFiles } from './first-files.ts'

// A Crosswalk server for development, to which `npm run dev` sends the requests of the API.
const server = process.env.CROSSWALK_URL ?? 'http://127.0.0.1:8080'

/**
 * The frame of all pages, with what it shares with the lists of records and with other pages. One file, because each
 * file that a page waits for costs a slow network 150 ms for every six.
 */
const frame = new RegExp(
  [
    '@tanstack/(query-core|react-query)/',
    'sdk/src/generated/operations\\.',
    'api/(client|demands|guarded-fetch|live|permissions|use-session)\\.',
    'parts/(button|days|download|empty|field|filters|guards|initials|inner-icons|kept-focus|loaded|locale|note|numbers|phone-number)\\.',
    'parts/(problem-view|skeleton|state|tag|text-field|time|times|toast|use-media|use-modal|use-submit|use-width)\\.',
    'records/(base-fields|kinds|owners|record-field|record-queries|use-fields|use-record-names|value-words)\\.',
    'records/segments/segment-queries\\.',
    'routing/link\\.',
    'shell/(approvals-query|badge|due-tasks-query|navigation|navigation-button|page|pages|scope|shell\\.module|use-key|use-leave-guard)\\.',
    'sign-in/demand\\.',
  ].join('|'),
)

/** The lists of records. */
const list =
  /parts\/grid\/|records\/(cell|early-list|list-query|bulk\/(export-button|use-selection)|filters\/(conditions|filter-bar)|list\/(page|new-record-acts|columns|scroll-offset|use-[\w-]+)|segments\/(segment-menu|shown-search|use-segment))\./

export default defineConfig({
  base: '/console/',
  plugins: [react(), firstFiles()],
  build: {
    target: 'es2023',
    // The Content-Security-Policy allows no data: fonts, and the server compresses files once.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The first file names the scripts that a page needs besides its own, for the frame of all pages and for the lists.
      // Other pages find theirs themselves: naming them would make the first file too large.
      resolveDependencies: (file, needed) =>
        /\/(shell|list)-/.test(file) ? needed : needed.filter((name) => !name.endsWith('.js')),
    },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // The first file names all others, and names do not compress. So these names are short.
        hashCharacters: 'base36',
        chunkFileNames: ({ name, facadeModuleId }) => {
          if (name === 'shell') return 'assets/shell-[hash:7].js'
          const isList = /routes\/(people|companies)\/page/.test(facadeModuleId ?? '')
          return isList ? 'assets/list-[hash:7].js' : 'assets/[hash:7].js'
        },
        assetFileNames: 'assets/[hash:7][extname]',
        // Few files: browsers ask a server for only six at a time, and the first file names them all. One has what the first
        // page needs, one the frame of the other pages, one the lists of records, and two the parts of several pages.
        // React Aria is large, and few pages need it.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 5 },
            { name: 'frame', test: frame, priority: 4 },
            { name: 'list-parts', test: list, priority: 4 },
            { name: 'dialog', test: /parts\/dialog\./, priority: 4 },
            {
              name: 'parts',
              test: /console\/src\/parts\/(?!menu-popover|grid|markdown)/,
              minShareCount: 2,
              priority: 3,
            },
            {
              name: 'aria',
              test: /\/(@internationalized|react-aria|react-stately|parts\/menu-popover)/,
              priority: 2,
            },
            {
              name: 'editor',
              test: /\/(@codemirror\/(view|state)|style-mod|w3c-keyname|crelt|@marijn)\//,
              priority: 2,
            },
            {
              name: 'shared',
              test: /^(?!.*console\/src\/records\/(record\/|record-picker|deals\/|filters\/words|author-since))/,
              minShareCount: 6,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/console/api': server } },
})
