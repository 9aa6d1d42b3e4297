import packageFile from "../package.json" with { type: "json" }

/** Version of this package; the one place that states it is package.json. */
export const VERSION: string = packageFile.version
