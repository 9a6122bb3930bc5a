// The cases of webhooks, tracking and forms; see cases.ts. bench/tracking/ measures web events and visitors.
import { type Case, fresh, now } from './cases.ts'
import type { Pools } from './subject.ts'

const endpoint = '/webhooks/endpoints/{endpoint_id}'
const anEndpoint = (pools: Pools) => pools.peek('new endpoint')

// An organization can have 50. No event has this type, so nothing is sent.
const webhookCases: Case[] = [
  {
    endpoint: 'POST /webhooks/endpoints',
    body: () => ({ url: 'https://receiver.invalid/', types: ['suppression.deleted'] }),
    ...{ makes: ['new endpoint', 'endpoint_id'], most: 5, notBare: true },
  },
  { endpoint: 'GET /webhooks/endpoints' },
  { endpoint: 'GET /webhooks/event-types' },
  { endpoint: `GET ${endpoint}`, id: anEndpoint },
  { endpoint: `PATCH ${endpoint}`, id: anEndpoint, body: () => ({ description: fresh() }), notBare: true },
  { endpoint: `GET ${endpoint}/attempts`, id: anEndpoint },
  { endpoint: `GET ${endpoint}/stats`, id: anEndpoint },
  { endpoint: `GET ${endpoint}/replays`, id: anEndpoint },
  { endpoint: `POST ${endpoint}/rotate-secret`, id: anEndpoint, most: 5, notBare: true },
  { endpoint: `POST ${endpoint}/disable`, id: anEndpoint, most: 5, notBare: true },
  { endpoint: `POST ${endpoint}/enable`, id: anEndpoint, most: 5, notBare: true },
  { endpoint: `DELETE ${endpoint}`, id: (pools) => pools.take('new endpoint'), most: 5, notBare: true },
]

const writeKey = '/write-keys/{write_key_id}'
const aWriteKey = (pools: Pools) => pools.peek('new write key')

// An organization can have 100.
const writeKeyCases: Case[] = [
  {
    endpoint: 'POST /write-keys',
    body: () => ({ name: 'Site' }),
    ...{ makes: ['new write key', 'write_key_id'], most: 10, notBare: true },
  },
  { endpoint: 'GET /write-keys' },
  { endpoint: `GET ${writeKey}`, id: aWriteKey },
  { endpoint: `PATCH ${writeKey}`, id: aWriteKey, body: () => ({ name: fresh() }), notBare: true },
  { endpoint: 'GET /tracking/snippet', query: (pools) => `?write_key_id=${aWriteKey(pools)}` },
  { endpoint: `POST ${writeKey}/rotate`, id: aWriteKey, most: 5, notBare: true },
  { endpoint: `DELETE ${writeKey}`, id: (pools) => pools.take('new write key'), most: 10, notBare: true },
]

const trackingCases: Case[] = [
  { endpoint: 'GET /tracking/events' },
  { endpoint: 'GET /tracking/usage' },
  { endpoint: 'GET /tracking/settings' },
  { endpoint: 'PATCH /tracking/settings', body: () => ({ respect_dnt: true }), notBare: true },
  { endpoint: 'GET /tracking/identity-secret' },
  ...['overview', 'pages', 'referrers', 'sources', 'campaigns', 'events', 'forms'].map((name) => ({
    endpoint: `GET /tracking/reports/${name}`,
  })),
  { endpoint: 'GET /visitors' },
]

const form = '/forms/{form_id}'
const aForm = (pools: Pools) => pools.peek('new form')

// An organization can have 100.
const formCases: Case[] = [
  {
    endpoint: 'POST /forms',
    body: () => ({ name: 'Contact us', fields: [{ key: 'a', label: 'A' }] }),
    ...{ makes: ['new form', 'form_id'], most: 10, notBare: true },
  },
  { endpoint: 'GET /forms' },
  { endpoint: `GET ${form}`, id: aForm },
  { endpoint: `GET ${form}/versions`, id: aForm },
  { endpoint: `PATCH ${form}`, id: aForm, body: () => ({ name: fresh() }), most: 20, notBare: true },
  { endpoint: 'GET /forms/submissions' },
  { endpoint: 'GET /call-back-requests' },
  { endpoint: `DELETE ${form}`, id: (pools) => pools.take('new form'), most: 10, notBare: true },
]

export const webCases: Case[] = [
  ...[...webhookCases, ...writeKeyCases, ...trackingCases, ...formCases],
  { endpoint: 'GET /events/feed', query: () => `?since=${now() - 60}` },
]
