import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '../routing/lazy-part.ts'
import { buttonLook } from './button.tsx'
import { Icon } from './icon.tsx'
import type { MenuAction } from './menu-popover.tsx'

export type { MenuAction } from './menu-popover.tsx'

// The menu itself is large. It loads when the pointer or the focus reaches a button that opens one.
const MenuPopover = lazyPart(() => import('./menu-popover.tsx'), 'MenuPopover')

/** A button with three dots that opens a menu, for rows with several actions. */
export function MenuButton({ label, acts }: { label: string; acts: readonly MenuAction[] }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const preload = () => void MenuPopover.preload()
  return (
    <>
      <button
        ref={button}
        type="button"
        {...buttonLook({ kind: 'quiet' })}
        data-icon=""
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => {
          // After a click by a key, the menu itself would have the focus.
          if (!['ArrowDown', 'Enter', ' '].includes(event.key)) return
          event.preventDefault()
          setOpen(true)
        }}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <Suspense>
          <MenuPopover label={label} acts={acts} trigger={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
