import { Button } from './button.tsx'
import { useSubmit } from './use-submit.ts'

/** Two buttons that move one thing of a list up or down. */
export function MoveButtons({
  label,
  index,
  last,
  onMove,
}: {
  /** What moves, such as the name of a stage. */
  label: string
  index: number
  /** The index of the last thing. */
  last: number
  /** @param by -1: up, 1: down */
  onMove: (by: 1 | -1) => unknown
}) {
  const up = useSubmit(async () => onMove(-1))
  const down = useSubmit(async () => onMove(1))
  return (
    <>
      <Button
        kind="quiet"
        icon="up"
        aria-label={`Move ${label} up`}
        disabled={index === 0}
        isBusy={up.isBusy}
        onClick={() => up.submit()}
      />
      <Button
        kind="quiet"
        icon="down"
        aria-label={`Move ${label} down`}
        disabled={index === last}
        isBusy={down.isBusy}
        onClick={() => down.submit()}
      />
    </>
  )
}
