import { companies } from '../companies/companies.ts'
import { contacts } from '../contacts/contacts.ts'
import type { Actor } from '../events/record.ts'
import { insertKey } from '../keys/keys.ts'
import { createOrg, hasOrgs } from '../orgs/operator.ts'
import type { Tx } from '../platform/db/tx.ts'
import { validator } from '../platform/http/validation.ts'
import type { Fields, RecordType, State } from '../records/record-type.ts'
import { insertRecords } from '../records/write.ts'
import { demoPeople } from './people.ts'

const size = { seed: 1, contacts: 3_000, companies: 250 }
const surroundings = { defaultCountry: null }

export type DemoOrg = {
  orgId: string
  liveToken: string
  testToken: string
  contacts: number
  companies: number
}

/** Makes an org to try things on, in an installation that has no org yet; null in any other. */
export async function makeDemoOrg(tx: Tx): Promise<DemoOrg | null> {
  if (await hasOrgs(tx)) return null
  const orgId = await createOrg(tx, { name: 'Demo', isAgency: false, country: 'US' })
  const actor: Actor = { orgId, mode: 'live', apiKeyId: null }
  const people = demoPeople(size)
  const companyIds = await insertRecords(tx, actor, companies, statesOf(companies, people.companies))
  const states = statesOf(contacts, people.contacts).map((state, index) => {
    const employer = people.employer[index] ?? null
    const companyId = employer === null ? null : companyIds[employer]
    return { ...state, company_raw_id: companyId, company_id: companyId }
  })
  await insertRecords(tx, actor, contacts, states)
  return {
    orgId,
    liveToken: await makeKey(tx, actor, 'live'),
    testToken: await makeKey(tx, actor, 'test'),
    contacts: size.contacts,
    companies: size.companies,
  }
}

function statesOf(type: RecordType, inputs: readonly object[]): State[] {
  const validate = validator([{ in: 'body', schema: type.fields }])
  return inputs.map((input) => {
    const { body } = validate({ body: { source: 'demo', ...input } })
    return type.apply(null, body as Fields, surroundings, false)
  })
}

async function makeKey(tx: Tx, actor: Actor, mode: 'live' | 'test'): Promise<string> {
  const key = await insertKey(tx, actor, {
    name: `Demo ${mode} key`,
    mode,
    isAgency: false,
    permissions: null,
    expiresAt: null,
    createdBy: null,
    legacy: false,
  })
  return key.api_key_token!
}
