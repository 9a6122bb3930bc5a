import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Suppression } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { Confirmation } from '../../parts/confirmation.tsx'
import { dayOfFile, ServerFileButton } from '../../parts/download.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FilterBar, TextFilter } from '../../parts/filters.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { NumberDialog } from '../../parts/number-dialog.tsx'
import { phoneWords } from '../../parts/phone-number.ts'
import { RowActions, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toast.tsx'
import { Link } from '../../routing/link.tsx'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { CurlCode } from '../../shell/curl-code.tsx'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { outcomeWords, SuppressionImport } from './suppression-import.tsx'

/** The numbers that the organization never calls. */
export function SuppressionsPage() {
  const { orgId, api, can } = useScope()
  const { number } = useSearch('/o/$orgId/calls/suppressions')
  const navigate = useNavigate('/o/$orgId/calls/suppressions')
  const [open, setOpen] = useState<Suppression | 'new' | 'many' | null>(null)
  const list = useInfiniteQuery({
    queryKey: ['suppressions', orgId, number],
    queryFn: ({ pageParam, signal }) =>
      api.voice.suppressions.list(
        { limit: 100, ...(number && { number }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
  })
  const mayAdd = can('voice:write')
  const close = () => setOpen(null)
  const changed = (text: string) => {
    close()
    showToast(text)
    void list.refetch()
  }
  const filter = (next: string | undefined) =>
    void navigate({ search: (all) => ({ ...all, number: next }), replace: true })
  return (
    <Page
      name="Calls"
      part="Do not call"
      acts={
        <>
          {can('voice:read') && (
            <ServerFileButton
              kind="quiet"
              name={`never-called-${dayOfFile()}.csv`}
              read={() => api.voice.suppressions.export()}
              failed="Not exported"
            >
              <span className="wide-label">Export</span>
            </ServerFileButton>
          )}
          {mayAdd && (
            <>
              <Button icon="upload" onClick={() => setOpen('many')}>
                <span className="wide-label">Import</span>
              </Button>
              <Button kind="main" icon="plus" onClick={() => setOpen('new')}>
                <span className="wide-label">Add a number</span>
              </Button>
            </>
          )}
        </>
      }
    >
      <div className="pad stack">
        <p className="t12">
          <Link to="/o/$orgId/calls" params={{ orgId }} className="link">
            All calls
          </Link>
        </p>
        <p className="two">
          These numbers are never called, not even in test mode. The numbers of people who denied consent to
          phone calls are never called either.
        </p>
      </div>
      <FilterBar isFiltered={number !== undefined} onClear={() => filter(undefined)}>
        <TextFilter
          label="Number"
          value={number ?? ''}
          placeholder="+1 202 555 0148"
          onChange={(next) => filter(next || undefined)}
        />
      </FilterBar>
      <Loaded query={list}>
        {({ pages }) => {
          const found = pages.flatMap(({ data }) => data)
          if (found.length === 0) return <NoSuppressions isFiltered={number !== undefined} mayAdd={mayAdd} />
          return (
            <>
              <Suppressions found={found} onRemove={can('voice:manage') ? setOpen : null} />
              <NextPageButton query={list} act="Show more numbers" end="There are no more numbers." />
            </>
          )
        }}
      </Loaded>
      {open === 'new' && (
        <AddDialog
          onClose={close}
          onAdded={(outcome) =>
            changed(
              outcome === 'created' ? 'The number is never called.' : 'The number was on the list already.',
            )
          }
        />
      )}
      {open === 'many' && (
        <SuppressionImport
          onClose={close}
          onImported={(outcome) => {
            if (outcome.refused === 0) return changed(outcomeWords(outcome))
            void list.refetch()
          }}
        />
      )}
      {open !== null && open !== 'new' && open !== 'many' && (
        <Confirmation
          title={`Allow calls to ${phoneWords(open.number)}?`}
          act="Allow calls"
          work={() => api.voice.suppressions.delete(open.suppression_id)}
          onClose={close}
          onDone={() => changed(`${phoneWords(open.number)} may be called again.`)}
        >
          <p>
            {open.reason ? `It is on the list because: ${reasonWords(open.reason)}. ` : ''}A person who asked
            not to be called may have the right to stay on the list.
          </p>
        </Confirmation>
      )}
    </Page>
  )
}

const columns = [
  { name: 'Number' },
  { name: 'Reason', phoneWidth: 130 },
  { name: 'Source', width: 180, optional: true },
  { name: 'Since', width: 140, optional: true },
  { name: 'Actions', width: 120, phoneWidth: 90, isHidden: true },
]

const reasons: Record<string, string> = {
  consent_denied: 'an erased person had denied consent',
}

const reasonWords = (reason: string): string => reasons[reason] ?? reason

const Suppressions = ({
  found,
  onRemove,
}: {
  found: readonly Suppression[]
  onRemove: ((entry: Suppression) => void) | null
}) => (
  <Table label="Numbers that are never called" columns={columns} hasControls={onRemove !== null}>
    {found.map((entry) => {
      const { suppression_id, number, reason, source, since } = entry
      return (
        <tr key={suppression_id}>
          <th scope="row">{phoneWords(number)}</th>
          <td title={reason ?? undefined}>
            {reason === null ? <span className="three">–</span> : reasonWords(reason)}
          </td>
          <td className="opt">{source ?? <span className="three">–</span>}</td>
          <td className="opt">
            <Time at={since} />
          </td>
          <td>
            {onRemove && (
              <RowActions>
                <Button
                  kind="quiet"
                  danger
                  aria-label={`Remove ${phoneWords(number)}`}
                  onClick={() => onRemove(entry)}
                >
                  Remove
                </Button>
              </RowActions>
            )}
          </td>
        </tr>
      )
    })}
  </Table>
)

function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (outcome: string) => void }) {
  const { api } = useScope()
  return (
    <NumberDialog
      title="Never call a number"
      placeholder="+1 202 555 0148"
      about={{ name: 'reason', label: 'Reason (optional)', placeholder: 'Asked not to be called' }}
      work={async (number, reason) =>
        api.voice.suppressions.create({ number, ...(reason && { reason }), source: 'console' })
      }
      onDone={({ outcome }) => onAdded(outcome)}
      onClose={onClose}
    />
  )
}

const NoSuppressions = ({ isFiltered, mayAdd }: { isFiltered: boolean; mayAdd: boolean }) => (
  <Empty icon="phone" title={isFiltered ? 'This number is not on the list' : 'No number is on the list'}>
    {mayAdd && (
      <>
        <p className="two">
          Add a number if somebody asks not to be called. “Import” takes many at once, such as a part of a
          national do-not-call list. A program uses <code>POST /voice/suppressions/import</code>.
        </p>
        <CurlCode
          label="The same with curl"
          path="/voice/suppressions"
          method="POST"
          body={{ number: '+12025550148', reason: 'Asked not to be called' }}
        />
      </>
    )}
  </Empty>
)
