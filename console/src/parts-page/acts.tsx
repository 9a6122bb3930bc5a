import { Button, ButtonLink, KeyboardKey } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { DownloadButton } from '../parts/download.tsx'
import { MenuButton } from '../parts/menu.tsx'
import { MoveButtons } from '../parts/move-buttons.tsx'
import { Section, SectionBody } from '../parts/section.tsx'
import { showToast } from '../parts/toast.tsx'

/** Buttons, links and menus. */
export const Acts = () => (
  <Section title="Buttons" about="One view has at most one filled button.">
    <SectionBody>
      <div className="stack g16">
        <div className="rail wrap">
          <Button kind="main" icon="plus" shortcut="C">
            New key
          </Button>
          <Button>Plain</Button>
          <Button kind="quiet">Quiet</Button>
          <Button icon="rotate">With an icon</Button>
          <Button kind="quiet" icon="close" aria-label="Close" />
        </div>
        <div className="rail wrap">
          <Button danger>Remove</Button>
          <Button kind="quiet" danger>
            Delete
          </Button>
          <Button kind="main" danger>
            Delete
          </Button>
          <Button kind="main" isBusy>
            Busy
          </Button>
          <Button disabled>Not now</Button>
          <MoveButtons label="Meeting" index={1} last={3} onMove={() => showToast('Moved')} />
        </div>
        <div className="rail wrap">
          <ButtonLink href="/docs" icon="open">
            A link
          </ButtonLink>
          <CopyButton text="copied" />
          <DownloadButton name="parts.txt" text="The parts of the console" />
          <MenuButton
            label="Actions for Nina Park"
            acts={[
              {
                name: 'Change role',
                icon: 'settings',
                run: () => showToast('You chose to change the role.'),
              },
              { name: 'Remove', icon: 'trash', danger: true, run: () => showToast('You chose to remove.') },
            ]}
          />
          <KeyboardKey>C</KeyboardKey>
          <span>
            Text with{' '}
            <button type="button" className="link">
              a link
            </button>
          </span>
        </div>
        <div style={{ maxWidth: 340 }}>
          <Button kind="main" icon="passkey" wide tall>
            Continue with a passkey
          </Button>
        </div>
      </div>
    </SectionBody>
  </Section>
)
