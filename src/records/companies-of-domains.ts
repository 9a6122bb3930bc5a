import type { OrgTx } from '../platform/db/org-tx.ts'
import { newColumns } from './create.ts'
import { insertRecords } from './insert.ts'
import { hashedKeys, keyName } from './keys.ts'
import { findCandidates, type Match } from './match.ts'
import { readReach } from './owners/reach.ts'
import type { Fields, RecordType } from './record-type.ts'
import { lockTargets } from './targets.ts'

type Wanted = { domain: string; match: Match; key: string }

/**
 * Finds the company of each domain, and creates missing companies. Concurrent transactions create each company once. If
 * several companies have a domain, the oldest is returned: a merge would keep it.
 * @param companies the record type of companies
 * @param fieldsOf the fields of a new company, besides its domain
 * @param importId the import that creates the companies; null: a request creates them
 * @param dryRun creates nothing
 * @returns company ids by domain
 */
export async function companiesOfDomains(
  tx: OrgTx,
  companies: RecordType,
  domains: readonly string[],
  fieldsOf: (domain: string) => Fields,
  importId: string | null,
  dryRun = false,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  /** Returns the domains that no company has. */
  const find = async (wanted: readonly Wanted[]): Promise<Wanted[]> => {
    if (wanted.length === 0) return []
    const found = await findCandidates(
      tx,
      companies,
      wanted.map(({ match }) => match),
    )
    return wanted.filter(({ domain, key }) => {
      const [oldest] = found.get(key) ?? []
      if (oldest !== undefined) ids.set(domain, oldest)
      return oldest === undefined
    })
  }
  const unknown = await find([...new Set(domains)].map(wantedOf))
  if (unknown.length === 0 || dryRun) return ids
  // Lock only here: most transactions find all their domains and need no lock.
  await lockTargets(
    tx,
    companies,
    unknown.map(({ match }) => match),
  )
  const missing = await find(unknown)
  const orgDefaults = { defaultCountry: null, reach: await readReach(tx) }
  const states = missing.map(({ domain }) =>
    newColumns(companies, { ...fieldsOf(domain), domain }, orgDefaults),
  )
  if (states.length === 0) return ids
  const made = await insertRecords(tx, companies, states, importId)
  missing.forEach(({ domain }, index) => {
    const id = made[index]
    if (id !== undefined) ids.set(domain, id)
  })
  return ids
}

function wantedOf(domain: string): Wanted {
  const keys = hashedKeys([{ kind: 'domain', value: domain }])
  return { domain, match: { matchOn: 'domain', keys }, key: keys.map(keyName).join() }
}
