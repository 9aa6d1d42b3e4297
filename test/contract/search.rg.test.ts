import { LocalSearch } from "../../adapters/runners/local/search/search.ts"
import { searchContract } from "./search.ts"

searchContract("rg", ({ fs, policyOf }) => new LocalSearch({ fs, policyOf, environment: process.env }))
