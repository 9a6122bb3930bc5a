import { Suspense, useState } from 'react'
import type { Mailbox, SignatureTemplate } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { Note } from '../../parts/note.tsx'
import { count } from '../../parts/numbers.ts'
import { ProblemView } from '../../parts/problem-view.tsx'
import { Tag } from '../../parts/tag.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useDiscardQuestion } from '../../parts/unsaved.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { lazyPart } from '../../routing/lazy-part.ts'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useCommandKey } from '../../shell/use-key.ts'
import { TemplateFacts } from './facts.tsx'
import { namesFor } from './names.ts'
import { Preview } from './preview/preview.tsx'
import { mailboxWords, PushDialog } from './push/push-dialog.tsx'
import { Rollout } from './push/rollout.tsx'
import { Source } from './source.tsx'
import styles from './template-editor.module.css'
import { useDraft } from './use-draft.ts'
import { faultsOf, usePreview } from './use-preview.ts'

const ConflictDialog = lazyPart(() => import('./conflict-dialog.tsx'), 'ConflictDialog')

/** The text of a template beside its preview. */
export function TemplateEditor({
  template,
  mailboxes,
  onChanged,
}: {
  template: SignatureTemplate
  mailboxes: readonly Mailbox[]
  onChanged: () => Promise<unknown>
}) {
  const { can, membership } = useScope()
  const { rollout } = useSearch('/o/$orgId/signatures/$templateId')
  const navigate = useNavigate('/o/$orgId/signatures/$templateId')
  const users = mailboxes.filter(({ template_id }) => template_id === template.template_id)
  const [chosenId, choose] = useState<number | null | undefined>()
  const chosen =
    chosenId === null
      ? null
      : (mailboxes.find(({ mailbox_id }) => mailbox_id === chosenId) ?? users[0] ?? mailboxes[0] ?? null)
  const [isPushed, setPushed] = useState(false)
  const edit = useDraft(template)
  const { draft, base, isChanged } = edit
  const names = namesFor(mailboxes, chosen, membership.org_name)
  const { preview, problems, error } = usePreview(draft, chosen?.mailbox_id ?? null, names)
  const { question } = useDiscardQuestion(() => isChanged)
  const saving = useSubmit(() => edit.save(), {
    onDone: (saved) => {
      if (!saved) return
      showToast(`Version ${count(saved.version)} is saved. Nothing is installed until you push it.`)
      void onChanged()
    },
  })
  const mayChange = can('signatures:write')
  const hasFault = problems.some(({ kind }) => kind === 'error')
  const save = () => mayChange && isChanged && !saving.isBusy && saving.submit()
  useCommandKey('s', save)
  const watch = (id: string | undefined) =>
    void navigate({ search: (all) => ({ ...all, rollout: id }), replace: true })
  return (
    <Page
      name="Signatures"
      part={draft.name}
      acts={
        mayChange && (
          <>
            <span className="opt">
              <Tag>
                version {count(base.version)}
                {isChanged ? ', changed' : ''}
              </Tag>
            </span>
            <Button
              kind={isChanged ? 'main' : 'plain'}
              shortcut="Ctrl S"
              isBusy={saving.isBusy}
              disabled={!isChanged}
              onClick={save}
            >
              {edit.merged.length > 0 ? 'Save again' : 'Save'}
            </Button>
            <Button
              kind={isChanged ? 'plain' : 'main'}
              icon="push"
              disabled={isChanged || hasFault || template.mailboxes === 0}
              title={pushReason(template.mailboxes, isChanged)}
              onClick={() => setPushed(true)}
            >
              Push
              {template.mailboxes > 0 && <span className="opt"> to {mailboxWords(template.mailboxes)}</span>}
            </Button>
          </>
        )
      }
    >
      {rollout && (
        <Rollout rolloutId={rollout} onMoved={() => void onChanged()} onClose={() => watch(undefined)} />
      )}
      {edit.merged.length > 0 && (
        <div className="pad">
          <Note kind="warn">
            Somebody else changed the {edit.merged.join(' and the ')} meanwhile. Their change is shown here.
            What you typed is still here. “Save again” stores only what you changed.
          </Note>
        </div>
      )}
      {saving.error !== null && !faultsOf(saving.error) && saving.rest && (
        <div className="pad">
          <Note kind="bad">{saving.rest}</Note>
        </div>
      )}
      <div className={styles.columns}>
        <Source
          edit={edit}
          problems={problems}
          names={names}
          derived={preview?.text ?? ''}
          isReadOnly={!mayChange}
        />
        <div className={styles.right}>
          {error && !preview ? (
            <ProblemView error={error} />
          ) : (
            <Preview preview={preview} mailboxes={mailboxes} mailbox={chosen} onMailbox={choose} />
          )}
          <TemplateFacts
            template={template}
            users={users}
            mailboxes={mailboxes}
            size={preview?.size ?? null}
            onChanged={onChanged}
          />
        </div>
      </div>
      {isPushed && (
        <PushDialog
          template={template}
          users={users}
          onClose={() => setPushed(false)}
          onPushed={({ rollout_id }) => {
            setPushed(false)
            watch(rollout_id)
            void onChanged()
          }}
        />
      )}
      {edit.conflict && (
        <Suspense>
          <ConflictDialog
            conflict={edit.conflict}
            mine={draft}
            onMine={(mine) => edit.save(mine, edit.conflict?.theirs ?? base)}
            onTheirs={() => {
              const mine = draft
              if (edit.conflict) edit.reset(edit.conflict.theirs)
              showToast('Their version is shown now.', 'ok', {
                name: 'Show mine',
                run: () => edit.change(mine),
              })
            }}
            onSaved={() => {
              showToast('Your version is saved.')
              void onChanged()
            }}
            onClose={edit.closeConflict}
          />
        </Suspense>
      )}
      {question}
    </Page>
  )
}

function pushReason(mailboxes: number, isChanged: boolean): string | undefined {
  if (mailboxes === 0) return 'No mailbox uses this template yet.'
  return isChanged ? 'Save first.' : undefined
}
