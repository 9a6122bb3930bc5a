import { useState } from 'react'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Segments, Select } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Link } from '../../routing/link.tsx'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { Decided } from './decided.tsx'
import type { DuplicateFilters } from './filters.ts'
import { KeysDialog } from './keys-dialog.tsx'
import styles from './page.module.css'
import { Proposals } from './proposals.tsx'
import { ScanDialog } from './scan-dialog.tsx'

/** Records that seem to be the same: decide about proposals, and take decisions back. */
export function DuplicatesPage() {
  const { orgId, can, membership } = useScope()
  // A scan, and the preview of settings, are about all records.
  const seesAllRecords = membership.record_access === 'all'
  const filters = useSearch('/o/$orgId/duplicates')
  const [open, setOpen] = useState<'scan' | 'bulk' | 'keys' | null>(null)
  useKey('?', () => setOpen('keys'))
  const close = () => setOpen(null)
  return (
    <Page
      name="Duplicates"
      acts={
        <>
          {can('duplicates:write') && filters.show === undefined && (
            <Button
              kind="quiet"
              icon="merge"
              aria-label="Merge above a score"
              onClick={() => setOpen('bulk')}
            >
              <span className="opt">Merge above a score</span>
            </Button>
          )}
          {seesAllRecords && (
            <Button kind="quiet" icon="search" onClick={() => setOpen('scan')}>
              Scan
            </Button>
          )}
          {seesAllRecords && (
            <Link
              {...buttonLook({ kind: 'quiet' })}
              data-icon=""
              to="/o/$orgId/settings/duplicates"
              params={{ orgId }}
              aria-label="Settings for duplicates"
              title="Settings for duplicates"
            >
              <Icon name="settings" />
            </Link>
          )}
        </>
      }
    >
      <Filters filters={filters} onKeys={() => setOpen('keys')} />
      {filters.show === undefined ? (
        <Proposals filters={filters} onScan={seesAllRecords ? () => setOpen('scan') : null} />
      ) : (
        <Decided filters={filters} />
      )}
      {open === 'scan' && <ScanDialog onClose={close} />}
      {open === 'bulk' && <BulkDialog type={filters.type ?? 'contact'} onClose={close} />}
      {open === 'keys' && <KeysDialog onClose={close} />}
    </Page>
  )
}

const states = [
  ['open', 'To decide'],
  ['merged', 'Merged'],
  ['different', 'Not the same'],
] as const

const types = [
  ['', 'All records'],
  ['contact', 'People'],
  ['company', 'Companies'],
  ['deal', 'Deals'],
] as const

function Filters({ filters: { show, type }, onKeys }: { filters: DuplicateFilters; onKeys: () => void }) {
  const { can } = useScope()
  const navigate = useNavigate('/o/$orgId/duplicates')
  const change = (next: DuplicateFilters) =>
    void navigate({ search: (all) => ({ ...all, pair: undefined, ...next }), replace: true })
  const permissions = { contact: 'contacts:read', company: 'companies:read', deal: 'deals:read', '': '' }
  return (
    <search className={styles.filters} aria-label="Filters">
      <Segments
        label="State"
        isLabelHidden
        value={show ?? 'open'}
        options={states}
        onChange={(value) => change({ show: value === 'open' ? undefined : value })}
      />
      <Select
        label="Records"
        isLabelHidden
        value={type ?? ''}
        options={types.filter(([value]) => value === '' || can(permissions[value]))}
        onChange={(value) => change({ type: value || undefined })}
      />
      {show === undefined && (
        <span className="end opt">
          <Button kind="quiet" shortcut="?" onClick={onKeys}>
            Keys
          </Button>
        </span>
      )}
    </search>
  )
}
