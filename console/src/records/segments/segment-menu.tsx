import { Suspense, useRef, useState } from 'react'
import { buttonLook } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { lazyPart } from '../../routing/lazy-part.ts'
import { useKey } from '../../shell/use-key.ts'
import type { RecordKind } from '../kinds.ts'
import styles from './segment-menu.module.css'
import type { OpenSegment } from './use-segment.ts'

const SegmentPopover = lazyPart(() => import('./segment-popover.tsx'), 'SegmentPopover')

/** The name of the open segment of a list. It opens the menu of segments. */
export function SegmentMenu({ kind, opened }: { kind: RecordKind; opened: OpenSegment }) {
  const { segment, isGone, isRead } = opened
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const open = () => {
    // The focus returns to it when the menu closes.
    button.current?.focus()
    setOpen(true)
  }
  const preload = () => void SegmentPopover.preload()
  useKey('v', open)
  return (
    <>
      <button
        ref={button}
        type="button"
        {...buttonLook({})}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title="Segments (V)"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          open()
        }}
      >
        <span className="sr">Segment:</span>
        <span className={styles.name}>
          {segment?.name ?? (isGone || !isRead ? 'Segment' : `All ${kind.many}`)}
        </span>
        <Icon name="down" size={14} />
      </button>
      {isOpen && (
        <Suspense>
          <SegmentPopover {...{ kind, opened }} trigger={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
