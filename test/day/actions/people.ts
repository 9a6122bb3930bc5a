import { newNonce, oneOf } from '../dice.ts'
import type { ActorClient, WeightedActions } from './action.ts'
import { common, type RecordKind, recordActs } from './records.ts'

const contacts: RecordKind = {
  ...{ kind: 'contact', plural: 'contacts', id: 'contact_id' },
  fields: ['city', 'job_title', 'region'],
  value: (api) => api.text(),
  body: (api, nonce) => {
    const company_id = api.pick('plain company')
    return {
      ...common(api, nonce),
      ...{ first_name: `F${nonce}`, last_name: api.text(nonce), email: api.email(nonce) },
      ...(company_id && { company_id }),
    }
  },
  upsert: (api, word) => ({
    ...{ match_on: 'email', email: api.email(word), last_name: api.text(word) },
    job_title: api.text(),
  }),
  filters: (api) => [
    { q: api.actor.marker },
    { tag: api.actor.marker },
    { email: api.email(newNonce()) },
    { updated_since: String(Math.floor(Date.now() / 1000) - 20) },
    { archived: 'true' },
    { company_id: api.pick('plain company') ?? '01900000-0000-7000-8000-000000000000' },
  ],
}

const companies: RecordKind = {
  ...{ kind: 'company', plural: 'companies', id: 'company_id' },
  fields: ['city', 'industry'],
  value: (api) => api.text(),
  body: (api, nonce) => ({
    ...common(api, nonce),
    ...{ name: api.text(nonce), domain: `${nonce}.${api.actor.marker}.example` },
  }),
  upsert: (api, word) => ({
    ...{ match_on: 'external_id', external_ids: { day: word }, name: api.text(word) },
    industry: api.text(),
  }),
  filters: (api) => [{ q: api.actor.marker }, { tag: oneOf(['red', 'blue']) }, { archived: 'true' }],
}

const deals: RecordKind = {
  ...{ kind: 'deal', plural: 'deals', id: 'deal_id' },
  fields: ['owner_email'],
  value: (api: ActorClient) => api.email(newNonce()),
  body: (api, nonce) => {
    const [company_id, one, other] = ['plain company', 'plain contact', 'plain contact'].map((name) =>
      api.pick(name),
    )
    const contact_ids = [...new Set([one, other].flatMap((id) => id ?? []))]
    return {
      ...common(api, nonce),
      ...{
        name: api.text(nonce),
        amount_cents: Math.floor(Math.random() * 1e6),
        currency: oneOf(['EUR', 'USD']),
      },
      ...{ contact_ids, ...(company_id && { company_id }) },
    }
  },
  upsert: (api, word) => ({
    ...{ match_on: 'external_id', external_ids: { day: word }, name: api.text(word) },
    owner_email: api.email(newNonce()),
  }),
  filters: (api) => [
    { q: api.actor.marker },
    { status: oneOf(['open', 'won', 'lost']) },
    { archived: 'true' },
    { company_id: api.pick('plain company') ?? '01900000-0000-7000-8000-000000000000' },
  ],
}

export const peopleActs: WeightedActions = [contacts, companies, deals].flatMap((type) => recordActs(type))
