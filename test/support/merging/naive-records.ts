import { elementsIn, listsWithMovedPrimary, writeLists } from './naive-lists.ts'
import type { NaiveOrg, Outcome, StepOf } from './naive-org.ts'
import { type Entity, type Fields, initialFields, kinds, members, unitsOf } from './naive-rules.ts'
import { computedFields, listOf, membersOf, recordOf, shown } from './naive-view.ts'

function namesNothing(org: NaiveOrg, { company_id: company, contact_ids: contacts }: Fields): boolean {
  const named = [company ?? [], contacts ?? []].flat() as string[]
  return named.some((id) => (org.facts.records.get(id)?.status ?? 'erased') === 'erased')
}

export function createRecord(org: NaiveOrg, entity: Entity, id: string, fields: Fields): Outcome {
  const isRefused = namesNothing(org, fields) || lacksConsent(fields) || hasOutsideOwner(entity, null, fields)
  if (isRefused || lacksCurrency(initialFields(entity), fields)) return null
  const own = Object.fromEntries(
    Object.entries(kinds[entity].lists).map(([list, primary]) => [
      list,
      elementsIn(fields, list, primary) ?? [],
    ]),
  )
  org.facts.records.set(id, { entity, status: 'active', own, led: {}, everMerged: false })
  say(org, id, singles(entity, fields))
  return 'created'
}

/** Whether somebody who is no member would own a contact or company. */
function hasOutsideOwner(entity: Entity, before: Fields | null, { owner_email: owner }: Fields): boolean {
  return (
    entity !== 'deal' && typeof owner === 'string' && !(owner in members) && owner !== before?.owner_email
  )
}

function lacksCurrency(before: Fields, fields: Fields): boolean {
  const after = { ...before, ...fields }
  return (after.amount_cents ?? null) !== null && (after.currency ?? null) === null
}

/** Whether details lack their consent in the same write. */
function lacksConsent({ consent, consent_details: details }: Fields): boolean {
  const given = (consent ?? {}) as Fields
  return Object.entries(details ?? {}).some(
    ([way, value]) => value !== null && !['granted', 'denied'].includes(given[way] as string),
  )
}

function say(org: NaiveOrg, id: string, fields: Fields): void {
  org.facts.said.push({ at: ++org.now, id, fields })
}

export function patchRecord(org: NaiveOrg, id: string, fields: Fields): Outcome {
  if (!org.active(id) || namesNothing(org, fields) || lacksConsent(fields)) return null
  return writeRecord(org, id, fields, false)
}

function writeRecord(org: NaiveOrg, id: string, fields: Fields, adds: boolean): Outcome {
  const { entity } = recordOf(org.facts, id)
  const before = shown(org.facts, org.root(id))
  if (lacksCurrency(before, fields) || hasOutsideOwner(entity, before, fields)) return null
  for (const field of adds ? [] : listsWithMovedPrimary(org.facts, id, fields)) org.loose.add(field)
  const own = Object.assign({}, ...org.facts.said.filter((each) => each.id === id).map((each) => each.fields))
  const said = singles(entity, fields)
  if (fields.custom) {
    said['custom members'] = fields.custom
    delete said.custom
  }
  // A record keeps its amount even if the currency comes from another record.
  if ((said.amount_cents ?? null) !== null && !('currency' in said) && (own.currency ?? null) === null)
    said.currency = before.currency
  say(org, id, said)
  writeLists(org.facts, id, fields, adds, org.now)
  return 'done'
}

export function upsertRecord(org: NaiveOrg, { entity, id, matchOn, fields }: StepOf<'upsert'>): Outcome {
  // An upsert must be valid for a new record, too.
  if (lacksCurrency(initialFields(entity), fields) || lacksConsent(fields)) return null
  const [list, primary] = matchingList[entity][matchOn]!
  const wanted = list ? (elementsIn(fields, list, primary) ?? []) : [fields[primary!] as string]
  const has = (elements: readonly string[]) => elements.some((element) => wanted.includes(element))
  const all = list ? null : computedFields(org.facts, entity)
  const found = org
    .roots(entity)
    .filter(
      (root) =>
        org.active(root) && has(list ? listOf(org.facts, root, list) : [all!.get(root)![primary!] as string]),
    )
  if (found.length === 0) return createRecord(org, entity, id, fields)
  if (found.length > 1 || namesNothing(org, fields)) return null
  // Find the record that wrote the element, or else the canonical record.
  const owners = membersOf(org.facts, found[0]!).filter((member) => {
    if (list) return has(recordOf(org.facts, member).own[list]!)
    const said = org.facts.said.filter((each) => each.id === member && primary! in each.fields)
    return has([said.at(-1)?.fields[primary!] as string])
  })
  const named = owners.length === 1 ? owners[0]! : found[0]!
  return writeRecord(org, named, fields, true) && `updated ${named}`
}

export function setStatus(org: NaiveOrg, id: string, status: 'active' | 'archived'): Outcome {
  const root = org.facts.records.get(org.root(id))
  if (!root || root.status === 'erased') return null
  const before = root.status
  root.status = status
  return `was ${before}`
}

export function eraseRecord(org: NaiveOrg, id: string): Outcome {
  const { records } = org.facts
  if ((records.get(org.root(id))?.status ?? 'erased') === 'erased') return null
  for (const member of membersOf(org.facts, org.root(id))) {
    records.get(member)!.status = 'erased'
    org.loose.add('company_id')
    // A merged record keeps the cleared reference. In any other record, the reference counts as never written.
    for (const [each, { entity, everMerged }] of records) {
      if (entity === 'company' || everMerged) continue
      if (computedFields(org.facts, entity).get(each)!.company_id === member)
        say(org, each, { company_id: null })
    }
  }
  return 'done'
}

export function endDeal(org: NaiveOrg, step: StepOf<'close' | 'reopen'>): Outcome {
  const root = org.active(step.id)
  if (!root) return null
  const { status, closed_at, close_reason_id } = shown(org.facts, root) as Fields
  if (step.do === 'reopen') {
    say(org, step.id, { status: 'open', closed_at: null, close_reason_id: null })
    return `was ${status}`
  }
  if (status !== 'open' && status !== step.status) return null
  say(org, step.id, {
    status: step.status,
    closed_at: closed_at ?? `closing ${org.now + 1}`,
    close_reason_id: step.reason === undefined ? close_reason_id : step.reason,
  })
  return `was ${status}`
}

/** A list and its primary field, or a single field. */
const matchingList: Record<Entity, Record<string, [list: string | null, primary: string | null]>> = {
  contact: {
    email: ['emails', 'email'],
    phone: ['phones', 'phone'],
    external_id: ['external_ids', null],
  },
  company: { domain: ['domains', 'domain'], phone: [null, 'phone'], external_id: ['external_ids', null] },
  deal: { external_id: ['external_ids', null] },
}

/** The written fields and members, without lists. */
function singles(entity: Entity, fields: Fields): Fields {
  const known = new Set(unitsOf(entity).flatMap(([, all]) => all))
  const lists = new Set(Object.entries(kinds[entity].lists).flat())
  const {
    consent,
    consent_details: details,
    ...rest
  } = fields as {
    consent?: Fields | null
    consent_details?: Record<string, Fields | null> | null
  }
  const said: Fields = Object.fromEntries(
    Object.entries(rest).filter(
      ([field, value]) => known.has(field) && !lists.has(field) && value !== undefined,
    ),
  )
  if ('custom' in said) said.custom ??= {}
  if (consent === null) Object.assign(said, { 'consent.email': 'unknown', 'consent.phone': 'unknown' })
  for (const [way, value] of Object.entries(consent ?? {})) said[`consent.${way}`] = value
  if (details === null) Object.assign(said, { 'consent_details.email': null, 'consent_details.phone': null })
  for (const [way, value] of Object.entries(details ?? {}))
    said[`consent_details.${way}`] = value && { at: null, kind: null, source: null, ...value }
  return said
}
