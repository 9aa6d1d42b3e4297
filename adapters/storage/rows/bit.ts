/** A boolean as every dialect stores it. */
export const bit = (value: boolean): number => (value ? 1 : 0)
