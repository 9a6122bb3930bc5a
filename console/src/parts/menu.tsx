import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import buttonStyles from './button.module.css'
import { Icon, type IconName } from './icon.tsx'
import styles from './menu.module.css'

export type MenuAction = { name: string; icon?: IconName; danger?: boolean; run: () => void }

/** A button with three dots that opens a menu, for rows with several actions. */
export function MenuButton({ label, acts }: { label: string; acts: readonly MenuAction[] }) {
  return (
    <MenuTrigger>
      <Button className={buttonStyles.button ?? ''} data-kind="quiet" data-icon="" aria-label={label}>
        <Icon name="more" />
      </Button>
      <Popover className={styles.popover ?? ''} placement="bottom end" offset={4}>
        <Menu
          className={styles.menu ?? ''}
          aria-label={label}
          onAction={(key) => acts.find(({ name }) => name === key)?.run()}
        >
          {acts.map(({ name, icon, danger }) => (
            <MenuItem key={name} id={name} textValue={name} data-danger={danger || undefined}>
              {icon && <Icon name={icon} />}
              {name}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
