// The cases of the CRM sync; see cases.ts.
import { randomInt } from 'node:crypto'
import { counts, idOf } from '../support/fill.ts'
import { type Case, fresh } from './cases.ts'

const connection = () => idOf('connection', 0)
const tagged = () => ({ connection_id: connection(), filter: { tag: `t${randomInt(1000)}` } })
const readsPeople = 'reads the requested people'

const crm = '/integrations/crm-sync'
const oneConnection = `${crm}/connections/{connection_id}`
const job = `${crm}/jobs/{job_id}`
export const crmCases: Case[] = [
  {
    ...{
      endpoint: `POST ${crm}/connections`,
      makes: ['new connection', 'connection_id'],
      most: 6,
      notBare: true,
    },
    body: () => ({ provider: 'sandbox' }),
  },
  { endpoint: `GET ${crm}/connections` },
  { endpoint: `GET ${oneConnection}`, id: connection },
  {
    endpoint: `PATCH ${oneConnection}`,
    id: (pools) => pools.peek('new connection'),
    body: () => ({ name: fresh() }),
  },
  { endpoint: `POST ${oneConnection}/test`, id: connection, most: 50, notBare: true },
  { endpoint: `GET ${oneConnection}/sandbox`, id: connection, grows: 'counts the records of the sandbox' },
  {
    endpoint: `DELETE ${oneConnection}`,
    id: (pools) => pools.take('new connection'),
    most: 5,
    notBare: true,
  },
  { endpoint: `GET ${crm}/settings` },
  { endpoint: `PATCH ${crm}/settings`, body: () => ({ threshold: 1000 }) },
  { endpoint: `POST ${crm}/leads/previews`, body: tagged, most: 40, grows: readsPeople },
  {
    ...{ endpoint: `POST ${crm}/leads/previews`, label: 'contact_ids' },
    body: (pools) => ({
      connection_id: connection(),
      contact_ids: Array.from({ length: 10 }, () => pools.some('contact')),
    }),
  },
  { endpoint: `POST ${crm}/contacts/previews`, body: tagged, most: 40, grows: readsPeople },
  { endpoint: `POST ${crm}/leads/push`, body: tagged, makes: ['new job', 'job_id'], most: 25, notBare: true },
  {
    endpoint: `POST ${crm}/contacts/push`,
    body: tagged,
    makes: ['new job', 'job_id'],
    most: 25,
    notBare: true,
  },
  { endpoint: `GET ${crm}/jobs`, grows: 'counts all rows of the list' },
  { endpoint: `GET ${job}`, id: (pools) => pools.some('job', counts(pools.size).jobs) },
  { endpoint: `GET ${job}/items`, id: () => idOf('job', 0), grows: 'counts all rows of the list' },
  { endpoint: `POST ${job}/cancel`, id: (pools) => pools.take('new job'), most: 40, notBare: true },
  {
    endpoint: `POST ${job}/retry`,
    id: () => idOf('job', 0),
    most: 2,
    notBare: true,
    grows: 'looks for failed people',
  },
]
