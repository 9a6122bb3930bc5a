// Writes openapi.json, the API's description as it is committed.
import { writeFileSync } from 'node:fs'
import { apiDocument } from '../src/api-document.ts'

/** The text of openapi.json. */
export const openApiText = (): string => `${JSON.stringify(apiDocument(null), null, 2)}\n`

if (import.meta.main) writeFileSync(new URL('../openapi.json', import.meta.url), openApiText())
