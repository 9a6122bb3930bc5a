import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withErrorTables } from '../../scripts/generate-error-tables.ts'
import { errorCodes } from '../../src/platform/error-codes/catalog.ts'

const codes = Object.values(errorCodes).flatMap((ofKind) => Object.keys(ofKind))

test('docs/reference/errors.md lists every code of the catalog with its status, cause and cure', () => {
  const page = readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8')
  expect(page === withErrorTables(page), 'run npm run generate, and commit docs/reference/errors.md').toBe(
    true,
  )
  for (const code of codes) expect(page).toContain(`| \`${code}\` |`)
})

test('each code of the catalog is in snake_case and belongs to one kind', () => {
  for (const code of codes) expect(code).toMatch(/^[a-z]+(_[a-z0-9]+)*$/)
  expect(codes).toHaveLength(new Set(codes).size)
})
