import { listReasons } from '../close-reasons/close-reasons.ts'
import { companies } from '../companies/companies.ts'
import { contacts } from '../contacts/contacts.ts'
import { deals } from '../deals/deals.ts'
import { readStages } from '../deals/stages.ts'
import { createPersona, movePersona } from '../personas/personas.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { validator } from '../platform/http/validation.ts'
import { newColumns } from '../records/create.ts'
import { insertRecords } from '../records/insert.ts'
import { type Owner, type Owners, ownersOf } from '../records/owners/owner.ts'
import type { Fields, OrgDefaults, RecordType, StoredColumns } from '../records/record-type.ts'
import { resolvedFields } from '../records/resolved-fields.ts'
import { createNumber } from '../voice/numbers.ts'
import { createSuppression } from '../voice/suppressions/suppressions.ts'
import type { ContactInput } from './contacts.ts'
import { demoDeals } from './deals.ts'
import { addNotesAndTasks } from './notes.ts'
import { demoPeople } from './people.ts'
import { demoPersonas } from './personas.ts'
import { chance, pick, seededRandom } from './random.ts'

const dayMs = 86_400_000
const ownedShare = 0.8

/** The number from which the organization calls. */
export const demoNumber = '+12025550199'

/** How many contacts have a note. */
const notedContacts = 12

export type SampleSize = { seed: number; contacts: number; companies: number; deals: number }

export type SamplePerson = { input: ContactInput; contactId: string }

/** The contacts of the sample, and the ids of its active personas. */
export type Sample = { people: SamplePerson[]; personaIds: string[] }

/**
 * Fills an organization with invented companies, contacts, deals, notes, tasks and personas, one number and one suppression.
 * @param members the members who own records; by default nobody does
 */
export async function fillWithSample(
  tx: OrgTx,
  size: SampleSize,
  members: readonly Owner[] = [],
): Promise<Sample> {
  const people = demoPeople(size)
  const owners = ownersOf(members)
  const random = seededRandom(size.seed)
  const owned = <Input extends object>(input: Input) =>
    members.length > 0 && chance(random, ownedShare)
      ? { ...input, owner_email: pick(random, members).email }
      : input
  const companyState = stateReader(companies, { defaultCountry: null, owners })
  const companyIds = await insertRecords(tx, companies, people.companies.map(owned).map(companyState))
  const contactState = stateReader(contacts, { defaultCountry: null, owners })
  const states = people.contacts.map((input, index) => {
    const employer = people.employer[index] ?? null
    const companyId = employer === null ? null : companyIds[employer]
    return { ...contactState(owned(input)), company_raw_id: companyId, company_id: companyId }
  })
  const contactIds = await insertRecords(tx, contacts, states)
  const dealIds = await makeDeals(tx, size, people, companyIds, contactIds, owners)
  await addNotesAndTasks(tx, size.seed, contactIds.slice(0, notedContacts), dealIds, members)
  const personaIds = await makePersonas(tx)
  await createNumber(tx, { number: demoNumber, label: 'Front desk' })
  await createSuppression(tx, {
    ...{ number: '+12025550198', reason: 'Asked on the phone not to be called again', source: 'demo' },
  })
  const made = people.contacts.flatMap((input, index) => {
    const contactId = contactIds[index]
    return contactId === undefined ? [] : [{ input, contactId }]
  })
  return { people: made, personaIds }
}

/** Inserts deals as if they were imported today: the closing dates are in the past. Returns the ids of the open ones. */
async function makeDeals(
  tx: OrgTx,
  size: SampleSize,
  { companies, employer }: ReturnType<typeof demoPeople>,
  companyIds: readonly string[],
  contactIds: readonly string[],
  owners: Owners,
): Promise<string[]> {
  const { stages } = await readStages(tx)
  const reasons = await listReasons(tx, { archived: false })
  const made = demoDeals(size, companies, employer, stages)
  const random = seededRandom(size.seed)
  const dealState = stateReader(deals, { defaultCountry: null, stages, owners })
  const states = made.map(({ input, company, contacts, closed, closesIn }) => {
    const contactsOfDeal = contacts.flatMap((contact) => contactIds[contact] ?? [])
    const fitting = reasons.filter(({ outcome }) => outcome === 'any' || outcome === closed?.status)
    return {
      ...dealState({
        ...input,
        ...(closesIn !== null && {
          expected_close_on: new Date(Date.now() + closesIn * dayMs).toISOString().slice(0, 10),
        }),
      }),
      ...{ company_raw_id: companyIds[company], company_id: companyIds[company] },
      ...{ contact_raw_ids: contactsOfDeal, contact_ids: contactsOfDeal },
      ...(closed && {
        deal_status: closed.status,
        closed_at: new Date(Date.now() - closed.daysAgo * dayMs),
        close_reason_id: pick(random, fitting).close_reason_id,
      }),
    }
  })
  const dealIds = await insertRecords(tx, deals, states)
  return dealIds.filter((_, index) => made[index]?.closed === null)
}

async function makePersonas(tx: OrgTx): Promise<string[]> {
  const active: string[] = []
  for (const { status, ...input } of demoPersonas) {
    const { persona_id } = await createPersona(tx, input)
    if (status !== 'active') continue
    await movePersona(tx, persona_id, 'activated', undefined)
    active.push(persona_id)
  }
  return active
}

/** Validates inputs with the rules of the API, and returns the columns to store. */
function stateReader(type: RecordType, orgDefaults: OrgDefaults): (input: object) => StoredColumns {
  const validate = validator([{ in: 'body', schema: type.input }])
  return (input) => {
    const { body } = validate({ body: { source: 'demo', ...input } })
    return newColumns(type, resolvedFields(body as Fields, orgDefaults), orgDefaults)
  }
}
