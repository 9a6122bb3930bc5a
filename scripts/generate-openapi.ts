// Writes openapi.json, which describes the API.
import { writeFileSync } from 'node:fs'
import { apiDocument } from '../src/api-document.ts'

/** The text of openapi.json. */
export const openApiText = (): string => `${JSON.stringify(apiDocument(null), null, 2)}\n`

if (import.meta.main) writeFileSync(new URL('../openapi.json', import.meta.url), openApiText())
