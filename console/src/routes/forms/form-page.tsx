import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Form } from '../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Note } from '../../parts/note.tsx'
import { OldData } from '../../parts/old-data.tsx'
import { Section, SectionBody } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { Link } from '../../routing/link.tsx'
import { useParams } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { Embed } from './embed.tsx'
import { EditFormDialog } from './form-dialog.tsx'
import { Preview } from './preview.tsx'
import { RevertDialog } from './revert-dialog.tsx'
import { Share } from './share.tsx'
import { Submissions } from './submissions.tsx'
import { formState } from './words.ts'

const pollMs = 5_000

/** One form: its page, its fields, and what people sent. */
export function FormPage() {
  const { orgId, api } = useScope()
  const { formId } = useParams('/o/$orgId/forms/$formId')
  const form = useQuery({
    queryKey: ['form', orgId, formId],
    queryFn: ({ signal }) => api.forms.get(formId, { signal }),
    refetchInterval: pollMs,
  })
  return (
    <Page name="Forms" part={form.data?.name ?? ''}>
      <OldData query={form} name="form" seconds={pollMs / 1_000} />
      <Loaded query={form}>{(found) => <Found key={found.form_id} form={found} />}</Loaded>
    </Page>
  )
}

function Found({ form }: { form: Form }) {
  const { orgId, api, can } = useScope()
  const queries = useQueryClient()
  const [open, setOpen] = useState<'edit' | 'revert' | null>(null)
  const { form_id: formId, name, status, version } = form
  const { kind, word } = formState(form)
  const store = async (next: Form) => {
    const queryKey = ['form', orgId, formId]
    // The answer of a poll that runs may be older than the change.
    await queries.cancelQueries({ queryKey })
    queries.setQueryData(queryKey, next)
    void queries.invalidateQueries({ queryKey: ['forms', orgId] })
  }
  const move = useSubmit(async () => {
    try {
      await store(await api.forms.update(formId, { status: status === 'live' ? 'archived' : 'live' }))
    } catch (error) {
      showToast(`${name} is not changed: ${problemOf(error).text}`, 'bad')
    }
  })
  return (
    <>
      <div className="pad stack g12">
        <p className="t12">
          <Link to="/o/$orgId/forms" params={{ orgId }} className="link">
            All forms
          </Link>
        </p>
        <div className="rail wrap g12">
          <h2 className="t16">{name}</h2>
          <span role="status">
            <State kind={kind}>{word}</State>
          </span>
          <span className="three t12">version {version}</span>
        </div>
        {can('forms:write') && (
          <div className="rail wrap">
            <Button onClick={() => setOpen('edit')}>Edit</Button>
            <Button
              kind={status === 'live' ? 'plain' : 'main'}
              isBusy={move.isBusy}
              onClick={() => move.submit()}
            >
              {status === 'live' ? 'Archive' : 'Publish'}
            </Button>
            {can('forms:manage') && (
              <Button kind="quiet" danger onClick={() => setOpen('revert')}>
                Revert submissions
              </Button>
            )}
          </div>
        )}
      </div>
      {form.problem && status !== 'archived' && (
        <div className="pad">
          <Note kind="warn">{form.problem}</Note>
        </div>
      )}
      <Share form={form} />
      {status === 'live' && <Embed form={form} />}
      <Submissions form={form} />
      <Section title="Fields" about="What people see.">
        <SectionBody>
          <Preview definition={form} />
        </SectionBody>
      </Section>
      {open === 'edit' && (
        <EditFormDialog
          form={form}
          onClose={() => setOpen(null)}
          onSaved={(saved) => {
            setOpen(null)
            void store(saved)
            showToast(`${saved.name} is saved as version ${saved.version}.`)
          }}
        />
      )}
      {open === 'revert' && <RevertDialog form={form} onClose={() => setOpen(null)} />}
    </>
  )
}
