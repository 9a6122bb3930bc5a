import { KeyboardKey } from '../../../parts/button.tsx'
import styles from './board.module.css'
import type { Held } from './board-keys.ts'
import { sameTarget, targetWords } from './targets.ts'

/** The foot of the board: the places for deals that ended, and the keys. */
export function Hints({ held }: { held: Held | null }) {
  return (
    <footer className={styles.foot} data-held={held ? '' : undefined}>
      {held ? (
        <>
          <span className="t12 two cut opt">
            Moving <b className="strong">{held.deal.name}</b>
            {held.over && ` to ${targetWords(held.over)}`}
          </span>
          <span className={styles.endings}>
            {(['won', 'lost'] as const).map((ending) => (
              <span
                key={ending}
                data-ending={ending}
                data-target={sameTarget(held.over, { status: ending }) || undefined}
              >
                {ending === 'won' ? 'Won' : 'Lost'}
              </span>
            ))}
          </span>
        </>
      ) : null}
      <span className="end rail t12 three opt">
        {held?.by === 'keyboard' ? (
          <>
            <KeyboardKey>←</KeyboardKey>
            <KeyboardKey>→</KeyboardKey> place <KeyboardKey>Space</KeyboardKey> drop{' '}
            <KeyboardKey>Esc</KeyboardKey> back
          </>
        ) : held ? (
          <>
            <KeyboardKey>Esc</KeyboardKey> back
          </>
        ) : (
          <>
            <KeyboardKey>↑</KeyboardKey>
            <KeyboardKey>↓</KeyboardKey>
            <KeyboardKey>←</KeyboardKey>
            <KeyboardKey>→</KeyboardKey> walk <KeyboardKey>↵</KeyboardKey> open <KeyboardKey>M</KeyboardKey>{' '}
            move to … <KeyboardKey>Space</KeyboardKey> pick up
          </>
        )}
      </span>
    </footer>
  )
}
