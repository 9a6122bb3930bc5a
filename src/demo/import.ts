import { contacts } from '../contacts/contacts.ts'
import { createImport } from '../imports/imports.ts'
import { savePiece } from '../imports/pieces.ts'
import { enqueueImport } from '../imports/upload.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { ContactInput } from './contacts.ts'

const rows = 120

/** Rows without a valid address. The import also refuses addresses that two contacts share. */
const refusedRows = ['not an address,fair-2026,London', ',fair-2026,Paris']

/** Adds an import that gives visitors of a fair a tag. A job runs it: it creates nobody, and refuses 8 rows. */
export async function addImport(tx: OrgTx, jobs: Jobs, people: readonly ContactInput[]): Promise<void> {
  const visitors = people.filter(({ email }) => email !== undefined).slice(0, rows)
  const lines = visitors.map(({ email, city = '' }) => `${email},fair-2026,${city}`)
  const bytes = Buffer.from(['email,tags,city', ...lines, ...refusedRows, ''].join('\n'))
  const importId = await createImport(tx, {
    ...{ type: contacts, status: 'uploading', fileName: 'trade-fair-visitors.csv', bytesTotal: bytes.length },
    ...{ mapping: undefined, matchOn: 'email' },
  })
  await savePiece(tx, importId, 0, bytes)
  await enqueueImport(tx, jobs, {
    importId,
    bytesTotal: bytes.length,
    encoding: 'utf-8',
    makesCompanies: false,
  })
}
