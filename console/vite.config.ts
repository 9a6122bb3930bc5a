import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// A Crosswalk server for development, to which `npm run dev` sends the requests of the API.
const server = process.env.CROSSWALK_URL ?? 'http://127.0.0.1:8080'

/** What the frame of all pages and the lists of records share with other pages. A list loads no other parts. */
const partsOfLists =
  /(api\/permissions|parts\/(button|days|download|field|filters|guards|initials|inner-icons|loaded|locale|note|numbers|phone-number|problem-view|empty|skeleton|state|tag|text-field|time|times|toast|use-modal|use-submit|use-width))\./

export default defineConfig({
  base: '/console/',
  plugins: [react()],
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
        // The first file names all others, and names do not compress: these are short.
        hashCharacters: 'base36',
        chunkFileNames: ({ name, facadeModuleId }) => {
          if (name === 'shell') return 'assets/shell-[hash:7].js'
          const isList = /routes\/(people|companies)\/page/.test(facadeModuleId ?? '')
          return isList ? 'assets/list-[hash:7].js' : 'assets/[hash:7].js'
        },
        assetFileNames: 'assets/[hash:7][extname]',
        // Few files: browsers ask a server for only six at a time, and the first file names them all. One has what the first
        // page needs, two the parts of several pages (those of
        // the lists, and others), and one what most pages share. React Aria and the lists of records are
        // large, and few pages need them.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 5 },
            { name: 'list-parts', test: partsOfLists, minShareCount: 2, priority: 4 },
            { name: 'dialog', test: /parts\/dialog\./, priority: 4 },
            {
              name: 'parts',
              test: /console\/src\/parts\/(?!menu-popover|grid)/,
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
            { name: 'grid', test: /parts\/grid/, priority: 2 },
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
