import { allows } from '../auth/permissions.ts'
import { limitLongReads } from '../platform/db/long-reads.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { listActivity } from './activity.ts'
import { ActivityPage, ActivityQuery, CompanyPath, ContactPath, Touches } from './schema.ts'
import { findCompany, findContact } from './subject.ts'
import { readTouches } from './touches.ts'

const tag = 'Activity'
const rules =
  'An item appears only if your permissions include its kind: `visitors:read`, `voice:read`, `notes:read`, `tasks:read`, `events:read` or `crm:read`. New items do not shift the pages.'
const ofContact = { 404: 'No contact of this organization has this id' }

export const activityEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/contacts/{contact_id}/activity',
    name: 'list_contact_activity',
    sdk: 'contacts.activity.list',
    summary: 'Read the timeline of a contact',
    description: `Web events, calls, notes, tasks, changes, merges and pushes of the contact, and of the contacts that it absorbed, newest first. ${rules}`,
    tag,
    permission: 'contacts:read',
    params: ContactPath,
    query: ActivityQuery,
    shape: 'data',
    response: ActivityPage,
    errors: ofContact,
    example: { limit: 25 },
    handle: ({ org, caller, context, params, query }) =>
      listActivity(
        org,
        context.cursors,
        caller.permissions,
        (tx) => findContact(tx, params.contact_id),
        query,
      ),
  }),
  endpoint({
    method: 'GET',
    path: '/companies/{company_id}/activity',
    name: 'list_company_activity',
    sdk: 'companies.activity.list',
    summary: 'Read the timeline of a company',
    description: `Changes and merges of the company, and the web events, calls, notes, tasks and pushes of its 200 newest people, newest first. Without the permission to read contacts, people are left out. ${rules}`,
    tag,
    permission: 'companies:read',
    params: CompanyPath,
    query: ActivityQuery,
    shape: 'data',
    response: ActivityPage,
    errors: { 404: 'No company of this organization has this id' },
    example: { limit: 25 },
    handle: ({ org, caller, context, params, query }) =>
      // The newest items of 200 people can take a core of PostgreSQL for 100 ms.
      limitLongReads(caller.payerId, () =>
        listActivity(
          org,
          context.cursors,
          caller.permissions,
          (tx) => findCompany(tx, params.company_id, allows(caller.permissions, 'contacts:read')),
          query,
        ),
      ),
  }),
  endpoint({
    method: 'GET',
    path: '/contacts/{contact_id}/touches',
    name: 'get_contact_touches',
    sdk: 'contacts.touches.get',
    summary: 'Read where a contact came from first and last',
    description:
      'The first web event of the contact, and the last one that says where the visit came from. They are events of its timeline. Visitors that only claim to be the contact count if there are no others.',
    tag,
    permission: 'visitors:read',
    params: ContactPath,
    shape: 'data',
    response: Touches,
    errors: ofContact,
    handle: ({ org, params }) =>
      org.read(async (tx) => {
        const { people } = await findContact(tx, params.contact_id)
        const [person] = people
        return person ? readTouches(tx, person) : { first_touch: null, last_touch: null }
      }),
  }),
]
