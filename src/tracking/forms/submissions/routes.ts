import { z } from 'zod'
import { type Endpoint, endpoint } from '../../../platform/http/endpoint.ts'
import { answerAbout } from '../endpoints/answer-about.ts'
import { FormPath } from '../schema.ts'
import { revertSubmissions } from './revert.ts'
import { RevertedForm, RevertForm, Submission, SubmissionPath, SubmissionQuery } from './schema.ts'
import { listSubmissions, markSpam, readSubmission, restoreSubmission } from './submissions.ts'

const base = '/forms/submissions'
const path = `${base}/{submission_id}`
const tag = 'Forms'
const [read, write, manage] = ['forms:read', 'forms:write', 'forms:manage']
const unknown = 'No submission of this organization has this id'

export const submissionEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: base,
    name: 'list_form_submissions',
    sdk: 'forms.submissions.list',
    summary: 'List the submissions of forms',
    description: 'Newest first, including spam. Send `status=accepted` to leave spam out.',
    tag,
    permission: read,
    query: SubmissionQuery,
    shape: 'page',
    response: z.array(Submission),
    handle: ({ org, context, query }) => listSubmissions(org, context.cursors, query),
  }),
  endpoint({
    method: 'GET',
    path,
    name: 'get_form_submission',
    sdk: 'forms.submissions.get',
    summary: 'Read a submission',
    tag,
    permission: read,
    params: SubmissionPath,
    shape: 'data',
    response: Submission,
    errors: { 404: unknown },
    handle: ({ org, params }) => org.read((tx) => readSubmission(tx, params.submission_id)),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/spam`,
    name: 'mark_form_submission_spam',
    sdk: 'forms.submissions.spam',
    summary: 'Mark a submission as spam',
    description:
      'Archives the contact that only this submission made, unless somebody changed it. Spam is deleted 30 days after it arrived.',
    tag,
    permission: write,
    params: SubmissionPath,
    shape: 'data',
    response: Submission,
    errors: { 404: unknown, 409: 'The submission was reverted' },
    handle: ({ org, params }) =>
      org.transact(async (tx) => answerAbout(await markSpam(tx, params.submission_id))),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/restore`,
    name: 'restore_form_submission',
    sdk: 'forms.submissions.restore',
    summary: 'Accept a submission that is spam or reverted',
    description: 'The submission writes the own contact of its visitor, as if it had just arrived.',
    tag,
    permission: write,
    params: SubmissionPath,
    shape: 'data',
    response: Submission,
    errors: { 404: unknown },
    handle: ({ org, params }) =>
      org.transact(async (tx) => answerAbout(await restoreSubmission(tx, params.submission_id))),
  }),
  endpoint({
    method: 'POST',
    path: '/forms/{form_id}/revert',
    name: 'revert_form',
    sdk: 'forms.revert',
    summary: 'Revert the submissions of a time window',
    description:
      'Contacts that only these submissions made are archived in the background. Nothing else changes: contacts that somebody changed, merged or confirmed stay. A submission can be restored.',
    tag,
    permission: manage,
    params: FormPath,
    body: RevertForm,
    shape: 'data',
    response: RevertedForm,
    errors: { 404: 'No form of this organization has this id' },
    example: { since: 1_767_225_600, until: 1_767_229_200 },
    handle: ({ org, context, params, body }) =>
      org.transact((tx) => revertSubmissions(tx, context.jobs, params.form_id, body)),
  }),
]
