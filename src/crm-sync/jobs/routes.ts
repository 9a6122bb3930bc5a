import { z } from 'zod'
import { requirePermission } from '../../auth/permissions.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { exampleId } from '../../platform/http/example-ids.ts'
import { id } from '../../platform/http/fields.ts'
import { askedBy, peopleOf } from '../people.ts'
import { preview } from '../previews.ts'
import { Item, ItemQuery, Job, JobQuery, Preview, PreviewAnswer, Push } from '../schema.ts'
import { kindOf } from './job-state.ts'
import { cancelJob, createJob, findJob, listItems, listJobs, retryJob } from './jobs.ts'

const tag = 'CRM sync'
const base = '/integrations/crm-sync'
const params = z.object({ job_id: id().describe('The id of the job.') })
const notFound = { 404: 'No CRM job of this organization has this id' }
const noConnection = { 404: 'No CRM connection of this organization has this id' }
const connectionId = exampleId('connection_id')

const objects = [
  { kind: 'leads_push', path: 'leads', noun: 'Leads' },
  { kind: 'contacts_push', path: 'contacts', noun: 'Contacts' },
] as const

const pushEndpoints = objects.flatMap(({ kind, path, noun }): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: `${base}/${path}/previews`,
    name: `preview_crm_${path}`,
    sdk: `crm.${path}.preview`,
    summary: `Preview a push of ${noun}`,
    description:
      'The number of people that a push would send, and five examples in the form in which they would be sent. A preview writes nothing. Needs `contacts:read` as well.',
    tag,
    permission: 'crm:read',
    // Do not store the answer: the sample has no ids, so an erasure could not find people in it.
    effect: 'none',
    body: Preview,
    // A filter may need a search, so an organization has at most two previews at a time.
    isLong: true,
    shape: 'data',
    response: PreviewAnswer,
    errors: noConnection,
    example: { connection_id: connectionId },
    handle: ({ org, caller, body }) => {
      requirePermission(caller, 'contacts:read')
      return preview(org, caller, kindOf[kind], body)
    },
  }),
  endpoint({
    method: 'POST',
    path: `${base}/${path}/push`,
    name: `push_crm_${path}`,
    sdk: `crm.${path}.push`,
    summary: `Push people as ${noun}`,
    description:
      'The push runs in the background: poll GET /integrations/crm-sync/jobs/{job_id}. Each person is created once in the CRM, and then updated. If more people than the confirmation threshold would be pushed, the job ends with the status `refused`, unless large_population_confirmed is true.',
    tag,
    permission: 'crm:write',
    body: Push,
    status: 202,
    location: `${base}/jobs/{job_id}`,
    shape: 'bare',
    response: Job,
    storedDays: 30,
    errors: noConnection,
    example: { connection_id: connectionId, filter: { tag: 'vip' } },
    handle: async ({ org, caller, context, body }) => {
      // Read the filter now: an invalid one must be refused before the job starts.
      const target = { connectionId: body.connection_id, mode: caller.mode, kind: kindOf[kind] }
      const asked = await askedBy(org, body)
      await peopleOf(org, target, asked)
      return org.transact((tx) => createJob(tx, context, kind, body, asked))
    },
  }),
])

export const jobEndpoints: Endpoint[] = [
  ...pushEndpoints,
  endpoint({
    method: 'GET',
    path: `${base}/jobs`,
    name: 'list_crm_jobs',
    sdk: 'crm.jobs.list',
    summary: 'List the CRM jobs',
    description: 'Newest first.',
    tag,
    permission: 'crm:read',
    query: JobQuery,
    shape: 'page',
    response: z.array(Job),
    handle: ({ org, context, query }) => listJobs(org, context.cursors, query),
  }),
  endpoint({
    method: 'GET',
    path: `${base}/jobs/{job_id}`,
    name: 'get_crm_job',
    sdk: 'crm.jobs.get',
    summary: 'Read the progress of a CRM job',
    tag,
    permission: 'crm:read',
    params,
    shape: 'bare',
    response: Job,
    errors: notFound,
    handle: ({ org, params }) => org.read((tx) => findJob(tx, params.job_id)),
  }),
  endpoint({
    method: 'GET',
    path: `${base}/jobs/{job_id}/items`,
    name: 'list_crm_job_items',
    sdk: 'crm.jobs.items.list',
    summary: 'List the people of a CRM job',
    description: 'Each person has an outcome. `outcome=failed` lists the people who were not pushed.',
    tag,
    permission: 'crm:read',
    params,
    query: ItemQuery,
    shape: 'page',
    response: z.array(Item),
    errors: notFound,
    handle: ({ org, context, params, query }) => listItems(org, context.cursors, params.job_id, query),
  }),
  endpoint({
    method: 'POST',
    path: `${base}/jobs/{job_id}/cancel`,
    name: 'cancel_crm_job',
    sdk: 'crm.jobs.cancel',
    summary: 'Cancel a CRM job',
    description: 'Batches that are under way are still completed. Canceling a job again changes nothing.',
    tag,
    permission: 'crm:write',
    params,
    shape: 'bare',
    response: Job,
    errors: { ...notFound, 409: 'The job has ended, or it is live and the API key is of test mode' },
    handle: ({ org, context, params }) => org.transact((tx) => cancelJob(tx, context, params.job_id)),
  }),
  endpoint({
    method: 'POST',
    path: `${base}/jobs/{job_id}/retry`,
    name: 'retry_crm_job',
    sdk: 'crm.jobs.retry',
    summary: 'Retry a CRM job',
    description:
      'Creates a new job for the people whose push failed, and for those whom the job did not reach.',
    tag,
    permission: 'crm:write',
    params,
    status: 202,
    location: `${base}/jobs/{job_id}`,
    shape: 'bare',
    response: Job,
    storedDays: 30,
    errors: {
      ...notFound,
      409: 'The job has not ended, no person failed, or the API key is of the other mode',
    },
    handle: ({ org, context, params }) => org.transact((tx) => retryJob(tx, context, params.job_id)),
  }),
]
