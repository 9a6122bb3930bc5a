import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Import } from '../../../../sdk/src/generated/types.ts'
import { liveInterval } from '../../api/live.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { actorWords } from '../../parts/event-words.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { count } from '../../parts/numbers.ts'
import { State } from '../../parts/state.tsx'
import { type Column, RowActions, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { Link } from '../../routing/link.tsx'
import { CurlCode } from '../../shell/curl-code.tsx'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { isRevertible, isUnfinished, kindOf, kinds, nameOf, statusWords } from './import-words.ts'
import { RevertDialog } from './revert-dialog.tsx'
import { useMayRevert } from './use-may-revert.ts'

const columns: Column[] = [
  { name: 'File' },
  { name: 'Records', width: 92, optional: true },
  { name: 'Status', width: 132, phoneWidth: 144 },
  { name: 'Imported', width: 92, optional: true, isNumber: true },
  { name: 'Refused', width: 84, optional: true, isNumber: true },
  { name: 'By', width: 120, optional: true },
  { name: 'When', width: 108, optional: true },
  { name: 'Actions', width: 104, optional: true, isHidden: true },
]

/** All imports, newest first, with the counts of their rows. */
export function ImportsPage() {
  const { orgId, api, can } = useScope()
  const [reverted, setReverted] = useState<Import | null>(null)
  const imports = useInfiniteQuery({
    queryKey: ['imports', orgId],
    queryFn: ({ pageParam, signal }) =>
      api.imports.list({ dry_run: false, limit: 50, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    refetchInterval: liveInterval(({ pages }) => pages.some(({ data }) => data.some(isUnfinished))),
  })
  const mayImport = kinds.some(({ resource }) => can(`${resource}:write`))
  return (
    <Page
      name="Imports"
      acts={
        mayImport && (
          <Link {...buttonLook({ kind: 'main' })} to="/o/$orgId/imports/new" params={{ orgId }}>
            Import a file
          </Link>
        )
      }
    >
      <Loaded query={imports}>
        {({ pages }) => {
          const shown = pages.flatMap(({ data }) => data)
          if (shown.length === 0) return <NoImports mayImport={mayImport} />
          return (
            <>
              <Table label="Imports" columns={columns}>
                {shown.map((one) => (
                  <ImportRow key={one.import_id} found={one} onRevert={() => setReverted(one)} />
                ))}
              </Table>
              <NextPageButton query={imports} act="Show older imports" end="There are no older imports." />
            </>
          )
        }}
      </Loaded>
      {reverted && <RevertDialog found={reverted} onClose={() => setReverted(null)} />}
    </Page>
  )
}

function ImportRow({ found, onRevert }: { found: Import; onRevert: () => void }) {
  const { orgId } = useScope()
  const mayRevert = useMayRevert(found)
  const { kind, text } = statusWords(found)
  const { counts, created_by, created_at, import_id: importId } = found
  return (
    <tr>
      <th scope="row">
        <Link className="link" to="/o/$orgId/imports/$importId" params={{ orgId, importId }}>
          {nameOf(found)}
        </Link>
      </th>
      <td className="opt">{kindOf(found).many}</td>
      <td>
        <State kind={kind}>{text}</State>
      </td>
      <td className="opt num">{count(counts.created + counts.updated + counts.unchanged)}</td>
      <td className={counts.refused > 0 ? 'opt num warn' : 'opt num'}>{count(counts.refused)}</td>
      <td className="opt">{actorWords(created_by)}</td>
      <td className="opt">
        <Time at={created_at} />
      </td>
      <td className="opt">
        {isRevertible(found) && mayRevert && (
          <RowActions>
            <Button kind="quiet" onClick={onRevert} aria-label={`Revert ${nameOf(found)}`}>
              Revert
            </Button>
          </RowActions>
        )}
      </td>
    </tr>
  )
}

const NoImports = ({ mayImport }: { mayImport: boolean }) => {
  const { orgId } = useScope()
  return (
    <Empty icon="import" title="No file was imported yet">
      <p className="two">
        Import people or companies from a CSV file or an Excel workbook. You see which rows fit before
        anything is written. The whole import can be reverted later.
      </p>
      {mayImport && (
        <Link {...buttonLook({})} to="/o/$orgId/imports/new" params={{ orgId }}>
          Import a file
        </Link>
      )}
      <p className="two">Programs send the same file to the API:</p>
      <CurlCode label="A request with curl" path="/contacts/imports" file="people.csv" />
    </Empty>
  )
}
