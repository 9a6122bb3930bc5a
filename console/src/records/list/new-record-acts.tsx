import { useState } from 'react'
import { Button, buttonLook } from '../../parts/button.tsx'
import { showToast } from '../../parts/toast.tsx'
import { lazyPart } from '../../routing/lazy-part.ts'
import { Link } from '../../routing/link.tsx'
import { useNavigate } from '../../routing/use-router.ts'
import { LateDialog } from '../../shell/late-dialog.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { idOf, type RecordKind } from '../kinds.ts'
import { reloadLists } from '../record-queries.ts'
import { useAskedNew } from './use-asked-new.ts'

const NewRecordDialog = lazyPart(() => import('./new-record-dialog.tsx'), 'NewRecordDialog')

/** Adds people or companies: by an import of a file, or as one record that a person types. Then the page of that record opens. */
export function NewRecordActs({ kind, resource }: { kind: RecordKind; resource: 'contacts' | 'companies' }) {
  const { orgId, can } = useScope()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const mayCreate = can(`${resource}:write`)
  useKey('c', () => mayCreate && setOpen(true))
  useAskedNew(() => setOpen(true))
  if (!mayCreate) return null
  return (
    <>
      <span className="opt">
        <Link {...buttonLook({})} to="/o/$orgId/imports/new" params={{ orgId }} search={{ of: resource }}>
          Import
        </Link>
      </span>
      <Button kind="main" icon="plus" shortcut="C" onClick={() => setOpen(true)}>
        <span className="wide-label">New {kind.one}</span>
      </Button>
      {isOpen && (
        <LateDialog>
          <NewRecordDialog
            kind={kind}
            resource={resource}
            onClose={() => setOpen(false)}
            onDone={(record) => {
              setOpen(false)
              showToast(`${kind.nameOf(record)} is created.`)
              void reloadLists(kind, orgId)
              void navigate({
                to: `/o/$orgId${kind.path}/$recordId` as '/o/$orgId/people/$recordId',
                params: { orgId, recordId: idOf(kind, record) },
              })
            }}
          />
        </LateDialog>
      )}
    </>
  )
}
