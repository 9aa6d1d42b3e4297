/**
 * Where a parser of terminal control sequences stands. `visible` and `consumed` are both the ground state: the last
 * unit was text, or it was the end of a sequence (or a lone C1 control).
 */
export const CONTROL = {
  visible: 0,
  consumed: 1,
  escape: 2,
  intermediate: 3,
  csi: 4,
  string: 5,
  stringEscape: 6,
} as const

/** One of the values of `CONTROL`. */
export type ControlState = (typeof CONTROL)[keyof typeof CONTROL]

/** The unit that stands for a byte of a multi-byte UTF-8 character: text in every state that does not swallow it. */
export const TEXT_UNIT = 0x100

function ground(unit: number): ControlState {
  if (unit === 0x1b) return CONTROL.escape
  if (unit < 0x80 || unit > 0x9f) return CONTROL.visible
  if (unit === 0x9b) return CONTROL.csi
  const opensString = unit === 0x90 || unit === 0x98 || unit >= 0x9d
  return opensString ? CONTROL.string : CONTROL.consumed
}

function afterEscape(unit: number): ControlState {
  if (unit === 0x5b) return CONTROL.csi
  if (unit === 0x5d || unit === 0x50 || unit === 0x58 || unit === 0x5e || unit === 0x5f) return CONTROL.string
  return inEscape(unit)
}

function inEscape(unit: number): ControlState {
  if (unit >= 0x20 && unit <= 0x2f) return CONTROL.intermediate
  return unit >= 0x30 && unit <= 0x7e ? CONTROL.consumed : ground(unit)
}

function inCsi(unit: number): ControlState {
  if (unit >= 0x20 && unit <= 0x3f) return CONTROL.csi
  return unit >= 0x40 && unit <= 0x7e ? CONTROL.consumed : ground(unit)
}

function inString(unit: number): ControlState {
  if (unit === 0x1b) return CONTROL.stringEscape
  const ends = unit === 0x07 || unit === 0x9c || unit === 0x18 || unit === 0x1a
  return ends ? CONTROL.consumed : CONTROL.string
}

/**
 * The state after one unit (a UTF-16 unit, or a byte with C1 controls already joined): CSI, OSC/DCS/APC/PM/SOS to
 * BEL or ST, two-byte escapes, C1 (shells.md §4.3). A unit that cannot continue a sequence ends it and is read anew;
 * ESC, CAN and SUB cancel a string, as terminals do.
 */
export function nextControl(state: ControlState, unit: number): ControlState {
  switch (state) {
    case CONTROL.visible:
    case CONTROL.consumed:
      return ground(unit)
    case CONTROL.escape:
      return afterEscape(unit)
    case CONTROL.intermediate:
      return inEscape(unit)
    case CONTROL.csi:
      return inCsi(unit)
    case CONTROL.string:
      return inString(unit)
    case CONTROL.stringEscape:
      return unit === 0x5c ? CONTROL.consumed : afterEscape(unit)
  }
}
