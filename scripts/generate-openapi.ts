import { writeFileSync } from 'node:fs'
import { apiDocument } from '../src/api-document.ts'

export const openApiText = (): string => `${JSON.stringify(apiDocument(null), null, 2)}\n`

if (import.meta.main) writeFileSync(new URL('../openapi.json', import.meta.url), openApiText())
