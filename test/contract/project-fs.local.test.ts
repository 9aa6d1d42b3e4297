import { openProject } from "../domain/files/project.ts"
import { projectFsContract } from "./project-fs.ts"

projectFsContract("local, anchored", () => openProject({ confinement: "anchored" }))
projectFsContract("local, checked", () => openProject({ confinement: "checked" }))
