import { inTheEnd, possibleValues } from '../ledger.ts'
import { type Audited, type AuditResult, type Stored, stored } from './audited.ts'

type Row = { org_id: string; id: string; nonce: string | null; there: boolean } & Record<string, unknown>

const column = (field: string) => field.replace('$', '_')

function rowsOf({ rows }: Audited, { table, id, nonce, fields, isThere = 'true' }: Stored): Promise<Row[]> {
  const more = Object.entries(fields).map(([name, text]) => `, ${text} as "${column(name)}"`)
  return rows<Row>(
    `select org_id::text, ${id}::text as id, ${nonce ?? 'null'} as nonce, ${isThere} as there ${more.join('')} from ${table}`,
  )
}

/**
 * Checks that each acknowledged creation exists once, and that each field has its last acknowledged value.
 */
export async function auditWrites(audited: Audited): Promise<AuditResult[]> {
  const lost: AuditResult = { name: 'every acknowledged creation exists', checked: 0, findings: [] }
  const doubled: AuditResult = { name: 'no creation took effect twice', checked: 0, findings: [] }
  const values: AuditResult = { name: 'fields have the last written values', checked: 0, findings: [] }
  const ends: AuditResult = { name: 'exactly the deleted objects are gone', checked: 0, findings: [] }
  const { ledger } = audited
  for (const [kind, how] of Object.entries(stored)) {
    const rows = await rowsOf(audited, how)
    const byId = new Map(rows.map((row) => [row.id, row]))
    const byNonce = Map.groupBy(rows, ({ nonce }) => nonce)
    for (const { orgId, nonce, id } of ledger.creations.filter((each) => each.kind === kind)) {
      const found = how.nonce === null ? [] : (byNonce.get(nonce) ?? [])
      doubled.checked++
      if (found.length > 1) doubled.findings.push(`${kind} ${nonce}: ${found.map((row) => row.id)}`)
      if (id === null) continue
      const row = byId.get(id)
      const there = ledger.writes.get(`${kind} ${id} $there`)
      const may = there ? possibleValues([...there, answer(there)], inTheEnd) : new Set(['yes'])
      const state = row?.there ? 'yes' : 'no'
      const isDeleted = there !== undefined
      const verdict = isDeleted ? ends : lost
      verdict.checked++
      if (!may.has(state)) verdict.findings.push(`${kind} ${id} (${nonce}) of ${orgId} is there: ${state}`)
      const owner = kind === 'org' ? orgId : row?.org_id
      if (owner !== undefined && owner !== orgId) lost.findings.push(`${kind} ${id} is of another org`)
      if (found[0] && found[0].id !== id)
        doubled.findings.push(`${kind} ${nonce}: answer ${id}, is ${found[0].id}`)
    }
    for (const [name, writes] of ledger.writes) {
      const [, id, field] = new RegExp(`^${kind} (\\S+) (\\S+)$`).exec(name) ?? []
      if (!id || !field || field === '$there') continue
      const row = byId.get(id)
      // `ends` judges deleted objects.
      if (!row && ledger.writes.has(`${kind} ${id} $there`)) continue
      const may = possibleValues(writes, inTheEnd)
      values.checked++
      const value = row?.[column(field)] ?? null
      if (!row) values.findings.push(`${name}: nothing is there`)
      else if (!may.has(value))
        values.findings.push(`${name} is ${JSON.stringify(value)}, answer ${JSON.stringify([...may])}`)
    }
  }
  return [lost, doubled, values, ends, auditReads(audited), await auditUpserts(audited)]
}

const answer = (writes: readonly { sentAt: number }[]) => ({
  ...{
    value: 'yes',
    sentAt: 0,
    endAt: Math.min(...writes.map(({ sentAt }) => sentAt)) - 1,
    acknowledged: true,
  },
})

/** Checks that each read showed a value that was acknowledged before it, or a newer one. */
function auditReads({ ledger }: Audited): AuditResult {
  const verdict: AuditResult = { name: 'reads show every acknowledged write', checked: 0, findings: [] }
  for (const read of ledger.reads) {
    const writes = ledger.writes.get(read.of)
    if (!writes) continue
    verdict.checked++
    const may = possibleValues(writes, read)
    if (!may.has(read.value))
      verdict.findings.push(
        `${read.of} was shown as ${JSON.stringify(read.value)}, answer ${JSON.stringify([...may])}`,
      )
  }
  return verdict
}

/** Checks that all upserts of a word returned the same record, which exists once. */
async function auditUpserts({ ledger, rows }: Audited): Promise<AuditResult> {
  const verdict: AuditResult = { name: 'upserts with equal keys made one record', checked: 0, findings: [] }
  const keys = {
    contact: `select org_id::text, source, split_part(email, '@', 1) as word, contact_id::text as id from contact where status = 'active'`,
    company: `select org_id::text, source, external_ids ->> 'day' as word, company_id::text as id from company where status = 'active'`,
    deal: `select org_id::text, source, external_ids ->> 'day' as word, deal_id::text as id from deal where status = 'active'`,
  }
  for (const [kind, text] of Object.entries(keys)) {
    const there = Map.groupBy(
      await rows<{ org_id: string; word: string; id: string }>(text),
      (row) => `${row.org_id} ${row.word}`,
    )
    for (const [name, writes] of ledger.writes) {
      const [, word] = new RegExp(`^upserted ${kind} (\\S+ \\S+) id$`).exec(name) ?? []
      if (!word) continue
      verdict.checked++
      const answered = new Set(writes.map(({ value }) => value))
      const found = (there.get(word) ?? []).map(({ id }) => id)
      if (answered.size !== 1 || found.length !== 1 || !answered.has(found[0]!))
        verdict.findings.push(`${kind} ${word}: answers had ${[...answered]}, and the database has ${found}`)
    }
  }
  return verdict
}
