import { newNonce, oneOf } from '../dice.ts'
import type { Acts, Visit } from './act.ts'
import { common, type RecordKind, recordActs } from './records.ts'

const contacts: RecordKind = {
  ...{ kind: 'contact', plural: 'contacts', id: 'contact_id' },
  fields: ['city', 'job_title', 'region'],
  value: (visit) => visit.text(),
  body: (visit, nonce) => {
    const company_id = visit.pick('plain company')
    return {
      ...common(visit, nonce),
      ...{ first_name: `F${nonce}`, last_name: visit.text(nonce), email: visit.email(nonce) },
      ...(company_id && { company_id }),
    }
  },
  upsert: (visit, word) => ({
    ...{ match_on: 'email', email: visit.email(word), last_name: visit.text(word) },
    job_title: visit.text(),
  }),
  filters: (visit) => [
    { q: visit.actor.marker },
    { tag: visit.actor.marker },
    { email: visit.email(newNonce()) },
    { updated_since: String(Math.floor(Date.now() / 1000) - 20) },
    { archived: 'true' },
    { company_id: visit.pick('plain company') ?? '01900000-0000-7000-8000-000000000000' },
  ],
}

const companies: RecordKind = {
  ...{ kind: 'company', plural: 'companies', id: 'company_id' },
  fields: ['city', 'industry'],
  value: (visit) => visit.text(),
  body: (visit, nonce) => ({
    ...common(visit, nonce),
    ...{ name: visit.text(nonce), domain: `${nonce}.${visit.actor.marker}.example` },
  }),
  upsert: (visit, word) => ({
    ...{ match_on: 'external_id', external_ids: { day: word }, name: visit.text(word) },
    industry: visit.text(),
  }),
  filters: (visit) => [{ q: visit.actor.marker }, { tag: oneOf(['red', 'blue']) }, { archived: 'true' }],
}

const deals: RecordKind = {
  ...{ kind: 'deal', plural: 'deals', id: 'deal_id' },
  fields: ['owner_email'],
  value: (visit: Visit) => visit.email(newNonce()),
  body: (visit, nonce) => {
    const [company_id, one, other] = ['plain company', 'plain contact', 'plain contact'].map((name) =>
      visit.pick(name),
    )
    const contact_ids = [...new Set([one, other].flatMap((id) => id ?? []))]
    return {
      ...common(visit, nonce),
      ...{
        name: visit.text(nonce),
        amount_cents: Math.floor(Math.random() * 1e6),
        currency: oneOf(['EUR', 'USD']),
      },
      ...{ contact_ids, ...(company_id && { company_id }) },
    }
  },
  upsert: (visit, word) => ({
    ...{ match_on: 'external_id', external_ids: { day: word }, name: visit.text(word) },
    owner_email: visit.email(newNonce()),
  }),
  filters: (visit) => [
    { q: visit.actor.marker },
    { status: oneOf(['open', 'won', 'lost']) },
    { archived: 'true' },
    { company_id: visit.pick('plain company') ?? '01900000-0000-7000-8000-000000000000' },
  ],
}

export const peopleActs: Acts = [contacts, companies, deals].flatMap((type) => recordActs(type))
