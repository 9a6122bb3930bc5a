import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { DuplicateScan } from '../../../../sdk/src/generated/types.ts'
import { liveInterval } from '../../api/live.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Note } from '../../parts/note.tsx'
import { count, percent } from '../../parts/numbers.ts'
import { Progress } from '../../parts/progress.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { type RecordKind, titleOf } from '../../records/kinds.ts'
import { useScope } from '../../shell/scope.tsx'
import { comparedTypes } from './compared-types.ts'
import styles from './page.module.css'

const isUnfinished = ({ status }: DuplicateScan) => status === 'queued' || status === 'running'

/** Starts scans, and shows their progress. A scan continues when the dialog closes. */
export function ScanDialog({ onClose }: { onClose: () => void }) {
  const { orgId, api, can } = useScope()
  const queries = useQueryClient()
  const scans = useQuery({
    queryKey: ['scans', orgId],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        (['contact', 'company', 'deal'] as const)
          .filter((type) => can(`${comparedTypes[type].resource}:read`))
          .map(async (entity_type) => {
            const { data } = await api.duplicates.scans.list({ entity_type, limit: 1 }, { signal })
            return { type: comparedTypes[entity_type], scan: data[0] ?? null }
          }),
      )
      void queries.invalidateQueries({ queryKey: ['proposals', orgId] })
      return found
    },
    refetchInterval: liveInterval((found: { scan: DuplicateScan | null }[]) =>
      found.some(({ scan }) => scan !== null && isUnfinished(scan)),
    ),
  })
  return (
    <Dialog
      title="Scan for duplicates"
      onClose={onClose}
      foot={
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      }
    >
      <p className="two">
        New and changed records are compared automatically. A scan compares all records, for example after a
        change of the settings. It continues if you close this dialog.
      </p>
      <Loaded query={scans} rows={3}>
        {(found) => (
          <div>
            {found.map(({ type, scan }) => (
              <ScanOfType key={type.entity} type={type} scan={scan} />
            ))}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function ScanOfType({ type, scan }: { type: RecordKind; scan: DuplicateScan | null }) {
  const { orgId, api, can } = useScope()
  const queries = useQueryClient()
  const start = useSubmit(async () => api.duplicates.scans.create({ entity_type: type.entity }), {
    onDone: () => void queries.invalidateQueries({ queryKey: ['scans', orgId] }),
  })
  const name = titleOf(type)
  const mayScan = can('duplicates:write') && can(`${type.resource}:write`)
  return (
    <section className={styles.scan} aria-label={name}>
      <div className="rail">
        <div className="stack g0 grow">
          <span className="strong">{name}</span>
          <span className="two t12">{scan ? <ScanWords scan={scan} /> : 'Never scanned'}</span>
        </div>
        {mayScan && (
          <Button
            isBusy={start.isBusy}
            disabled={scan !== null && isUnfinished(scan)}
            aria-label={`Scan ${type.many}`}
            onClick={() => start.submit()}
          >
            Scan
          </Button>
        )}
      </div>
      {scan && isUnfinished(scan) && <Progress label={`Scan of ${type.many}`} done={scan.progress} />}
      {start.rest && <Note kind="bad">{start.rest}</Note>}
    </section>
  )
}

function ScanWords({ scan: { status, progress, counts, finished_at } }: { scan: DuplicateScan }) {
  if (status === 'queued') return 'Waits for its turn'
  if (status === 'running') return `${percent(progress)}, ${numbered(counts.records_read, 'record')} read`
  if (status === 'failed')
    return (
      <span className="bad">
        The last scan failed <Time at={finished_at} />. Start it again.
      </span>
    )
  return (
    <>
      Scanned <Time at={finished_at} />: {numbered(counts.records_read, 'record')},{' '}
      {numbered(counts.proposals_opened, 'new proposal')}
      {counts.merges_applied > 0 && `, ${numbered(counts.merges_applied, 'merge')}`}
    </>
  )
}

const numbered = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? '' : 's'}`
