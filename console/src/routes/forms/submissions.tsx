import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Form, FormSubmission } from '../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Segments } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { Section, SectionBody } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { RowActions, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { answerWords, spamWords, submissionState } from './words.ts'

const shownOptions = [
  ['accepted', 'Accepted'],
  ['spam', 'Spam'],
  ['reverted', 'Reverted'],
] as const
type Shown = (typeof shownOptions)[number][0]

const columns = [
  { name: 'Answers' },
  { name: 'Status', width: 120, phoneWidth: 100 },
  { name: 'Sent', width: 130, optional: true },
  { name: 'Actions', width: 170, phoneWidth: 110, isHidden: true },
]

/** What people sent with a form. */
export function Submissions({ form }: { form: Form }) {
  const { form_id: formId } = form
  const { orgId, mode, api } = useScope()
  const [status, setStatus] = useState<Shown>('accepted')
  const submissions = useInfiniteQuery({
    queryKey: ['form-submissions', orgId, formId, mode, status],
    queryFn: ({ pageParam, signal }) =>
      api.forms.submissions.list(
        { form_id: formId, mode, status, limit: 50, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
  return (
    <Section title="Submissions" about="Spam changes no contact, and is deleted after 30 days.">
      <SectionBody>
        <Segments label="Shown" isLabelHidden value={status} options={shownOptions} onChange={setStatus} />
      </SectionBody>
      <Loaded query={submissions}>
        {({ pages }) => {
          const found = pages.flatMap(({ data }) => data)
          return found.length === 0 ? (
            <SectionBody>
              <p className="three">There are none.</p>
            </SectionBody>
          ) : (
            <>
              <Table label="Submissions" columns={columns}>
                {found.map((submission) => (
                  <SubmissionRow key={submission.submission_id} form={form} submission={submission} />
                ))}
              </Table>
              <NextPageButton query={submissions} act="Show more" end="There are no older submissions." />
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

function SubmissionRow({ form, submission }: { form: Form; submission: FormSubmission }) {
  const { orgId, api, can } = useScope()
  const queries = useQueryClient()
  const { submission_id: id, answers, status, spam_reason: reason, contact_id: contactId } = submission
  const { kind, word } = submissionState(submission)
  const text = inOrderOf(form, answers).map(answerWords).join(' · ')
  const verb = status === 'accepted' ? 'Spam' : 'Restore'
  const act = useSubmit(async () => {
    try {
      await (status === 'accepted' ? api.forms.submissions.spam(id) : api.forms.submissions.restore(id))
      void queries.invalidateQueries({ queryKey: ['form-submissions', orgId] })
      showToast(status === 'accepted' ? 'The submission is spam now.' : 'The submission is accepted.')
    } catch (error) {
      showToast(`The submission is not changed: ${problemOf(error).text}`, 'bad')
    }
  })
  return (
    <tr>
      <th scope="row" title={text}>
        {contactId && status === 'accepted' ? (
          <Link className="cut link" to="/o/$orgId/people/$recordId" params={{ orgId, recordId: contactId }}>
            {text}
          </Link>
        ) : (
          <span className="cut">{text}</span>
        )}
        {reason && (
          <p className="t12 three" style={{ whiteSpace: 'normal' }}>
            {spamWords(reason)}
          </p>
        )}
      </th>
      <td>
        <State kind={kind}>{word}</State>
      </td>
      <td className="opt">
        <Time at={submission.created_at} />
      </td>
      <td>
        {can('forms:write') && (
          <RowActions>
            <Button
              kind="quiet"
              aria-label={`${verb}: ${text}`}
              isBusy={act.isBusy}
              onClick={() => act.submit()}
            >
              {verb}
            </Button>
          </RowActions>
        )}
      </td>
    </tr>
  )
}

/** The answers in the order of the form. Answers to fields that the form no longer has come last. */
function inOrderOf({ fields }: Form, answers: FormSubmission['answers']): unknown[] {
  const keys = new Set([...fields.map(({ key }) => key), ...Object.keys(answers)])
  return [...keys].filter((key) => key in answers).map((key) => answers[key])
}
