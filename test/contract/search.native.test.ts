import { LocalSearch } from "../../adapters/runners/local/search/search.ts"
import { type OpenSearch, searchContract } from "./search.ts"

const open: OpenSearch = ({ fs, policyOf }) =>
  new LocalSearch({ fs, policyOf, environment: process.env, backend: "native" })

searchContract("native", open)
searchContract("native", open, "checked")
