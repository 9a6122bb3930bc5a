import type { RefObject } from 'react'
import { Menu, MenuItem, Popover } from 'react-aria-components'
import { Icon, type IconName } from './icon.tsx'
import { noteOpener } from './kept-focus.ts'
import styles from './menu.module.css'

export type MenuAction = { name: string; icon?: IconName; danger?: boolean; run: () => void }

/** The open menu of a `MenuButton`. */
export function MenuPopover({
  label,
  acts,
  trigger,
  onClose,
}: {
  label: string
  acts: readonly MenuAction[]
  trigger: RefObject<HTMLElement | null>
  onClose: () => void
}) {
  return (
    <Popover
      className={styles.popover ?? ''}
      triggerRef={trigger}
      isOpen
      onOpenChange={onClose}
      placement="bottom end"
      offset={4}
    >
      <Menu
        className={styles.menu ?? ''}
        aria-label={label}
        autoFocus="first"
        onClose={onClose}
        onAction={(key) => {
          noteOpener(trigger.current)
          acts.find(({ name }) => name === key)?.run()
        }}
      >
        {acts.map(({ name, icon, danger }) => (
          <MenuItem key={name} id={name} textValue={name} data-danger={danger || undefined}>
            {icon && <Icon name={icon} />}
            {name}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  )
}
