import { useState } from 'react'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Confirmation } from '../../parts/confirmation.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useNavigate } from '../../routing/use-router.ts'
import { useScope } from '../../shell/scope.tsx'
import { idOf, type RecordKind, type ShownRecord } from '../kinds.ts'
import { reloadLists, storeRecords } from '../record-queries.ts'

/** Archives, restores or erases a record, if the role of the person allows it. */
export function RecordActs({ kind, record }: { kind: RecordKind; record: ShownRecord }) {
  const { orgId, api, can } = useScope()
  const navigate = useNavigate()
  const [asksErase, setAsksErase] = useState(false)
  const id = idOf(kind, record)
  const name = kind.nameOf(record)
  const isArchived = record.archived_at !== null
  const put = (saved: ShownRecord) => {
    storeRecords(kind, orgId, [saved])
    void reloadLists(kind, orgId)
  }
  const putRestored = (saved: ShownRecord) => {
    put(saved)
    showToast(`${name} is restored.`)
  }
  const restore = useSubmit(async () => kind.apiOf(api).restore(id), { onDone: putRestored })
  /** The person may have left the page: a notice says why it failed. */
  const undo = (): unknown =>
    kind
      .apiOf(api)
      .restore(id)
      .then(putRestored, (error) =>
        showToast(`Not restored: ${problemOf(error).text}`, 'bad', { name: 'Undo', run: undo }),
      )
  const archive = useSubmit(async () => kind.apiOf(api).archive(id), {
    onDone: (saved) => {
      put(saved)
      showToast(`${name} is archived.`, 'ok', { name: 'Undo', run: undo })
    },
  })
  const failure = archive.rest ?? restore.rest
  return (
    <>
      {failure && (
        <span className="bad" role="alert">
          {failure}
        </span>
      )}
      {can(`${kind.resource}:write`) &&
        (isArchived ? (
          <Button icon="rotate" isBusy={restore.isBusy} onClick={() => restore.submit()}>
            Restore
          </Button>
        ) : (
          <Button kind="quiet" icon="archive" isBusy={archive.isBusy} onClick={() => archive.submit()}>
            Archive
          </Button>
        ))}
      {can(`${kind.resource}:manage`) && (
        <Button kind="quiet" danger icon="trash" onClick={() => setAsksErase(true)}>
          Erase
        </Button>
      )}
      {asksErase && (
        <Confirmation
          title={`Erase ${name}?`}
          act="Erase"
          typed={name}
          work={async () => kind.apiOf(api).erase(id)}
          onClose={() => setAsksErase(false)}
          onDone={() => {
            void reloadLists(kind, orgId)
            showToast(`${name} is erased.`)
            void navigate({
              to: `/o/$orgId${kind.path}` as '/o/$orgId/people',
              params: { orgId },
              ignoreGuard: true,
            })
          }}
        >
          <p>
            Crosswalk removes all data of this {kind.one} permanently, also from old answers and events. This
            cannot be undone. To only hide the {kind.one}, archive it.
          </p>
        </Confirmation>
      )}
    </>
  )
}
