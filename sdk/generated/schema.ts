// Generated from openapi/openapi.json by `npm run generate`; do not edit.

export interface paths {
    "/tools/list_tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List tools
         * @description Rows of the tools that this server exposes, with their arguments and how to reach them; a query is a literal part of name, title or description.
         */
        post: operations["list_tools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/tool_manifest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Describe one tool
         * @description The exact contract of one tool: input and output schema, effect, scopes, targets and surfaces.
         */
        post: operations["tool_manifest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/runtime_status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Status of this server
         * @description Version, surface, authority mode, store, Runners, counts and limits of the server that answers.
         */
        post: operations["runtime_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/list_projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List Projects
         * @description Lists the registered Projects that the caller may access, by slug, with state and running Jobs.
         */
        post: operations["list_projects"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/register_project": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a Project
         * @description Registers a directory below an allowed root as a Project, or makes it first. A directory that is registered already answers created:false.
         */
        post: operations["register_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/unregister_project": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unregister a Project
         * @description Ends a Project's registration. No file, Session or Job is deleted; its live shells are closed, its Sessions stay readable.
         */
        post: operations["unregister_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/start_session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a Session
         * @description Starts a new Workflow Session, with or without a Project, and returns its id. Nothing selects it later but that id. With deny_write_tools alone a shell can still write.
         */
        post: operations["start_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/session_summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Summarise a Session
         * @description Shows one Workflow Session: mode, guards, defaults, counts over its retained ledger, calls in flight, and its newest events. Reading appends nothing.
         */
        post: operations["session_summary"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/list_sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List Sessions
         * @description Lists the caller's retained Workflow Sessions, newest change first. It selects none: tools work in a Session only by its session_id.
         */
        post: operations["list_sessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/update_session_context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Update a Session's defaults
         * @description Replaces the execution defaults of a Workflow Session as a whole; {} clears them. Open shells stay where they are. Equal defaults change nothing.
         */
        post: operations["update_session_context"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/close_session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a Session
         * @description Closes a Workflow Session for good; a repeat says already_closed. Its live shell is closed too; calls in flight and running Jobs are reported and go on.
         */
        post: operations["close_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/post_session_message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post to a Session's board
         * @description Posts a message to a Session's board, where whoever works in the Session reads it. With requires_ack it is shown with calls until resolved. A correction is a new message.
         */
        post: operations["post_session_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/observe_session_messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Observe a board
         * @description Shows what is new or changed on a Session's board since a token, and can wait for it. Without a token: a baseline token and no messages; list_session_messages (by call_read_tool where not listed) reads what is there. Reading consumes nothing.
         */
        post: operations["observe_session_messages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/resolve_session_message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a message
         * @description Resolves a message of a Session's board for good, a todo without an answer too. A repeat changes nothing; another resolution text replaces the first.
         */
        post: operations["resolve_session_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/list_session_messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List messages
         * @description Lists messages of a Session's board, newest first, by kind, state, id or the message they reply to. Reading changes nothing.
         */
        post: operations["list_session_messages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/get_session_assignment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read an assignment
         * @description Returns an open todo, all its direct replies and the fence that complete_session_message asks for, in one snapshot. The fence covers the full texts, also of those that are cut here.
         */
        post: operations["get_session_assignment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/session_discussion_summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Summarise a board
         * @description Summarises a Session's board: counts, open guidance, questions, risks and todos, and the newest answers, completions, progress and decisions, each as an excerpt.
         */
        post: operations["session_discussion_summary"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/complete_session_message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a todo
         * @description Completes a todo with an answer, if the todo and its direct replies still are what the fence was taken from; else nothing is stored and the reply shows what they are now.
         */
        post: operations["complete_session_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/work_on_project": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Work on a Project
         * @description Starts a Workflow Session for an instruction in a Project, or continues exactly the one named; returns its id, the state of the workspace and whether work can begin.
         */
        post: operations["work_on_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/run_process": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a program
         * @description Runs one program, no shell; it may go on as a Job.
         */
        post: operations["run_process"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/run_script": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a script
         * @description Runs a script; it may go on as a Job.
         */
        post: operations["run_script"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/run_shell": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a shell command
         * @description Runs a shell command; one that outlives the call goes on as a Job.
         */
        post: operations["run_shell"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/run_job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a Job
         * @description Starts a shell command as a Job and returns at once; observe_jobs and job_log follow it.
         */
        post: operations["run_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/run_detached_process": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a detached program
         * @description Starts one program with literal arguments under a supervisor of its own, which outlives server and Runner; answers when it runs.
         */
        post: operations["run_detached_process"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/job_log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a Job's output
         * @description Reads the stored output of one Job: its last lines, lines or bytes from a place on, lines that match a pattern, or what is new since a token; it can wait for more.
         */
        post: operations["job_log"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/observe_jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at several Jobs
         * @description Shows state and newest output of up to 8 Jobs, or what is new since a token each, and can wait for the first that has something. An unknown Job does not fail the others.
         */
        post: operations["observe_jobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/job_status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at a Job
         * @description Shows the state of one Job without its output: status, outcome, times, totals, and processes that it left alive.
         */
        post: operations["job_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/list_jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List Jobs
         * @description Lists the caller's own Jobs, newest first, filtered by Project, Session, live shell and state. Jobs whose call saw their end are left out unless include_quick is set.
         */
        post: operations["list_jobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/stop_job": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a Job
         * @description Ends one Job with every process it started, or what a finished one left in the background, and says what became of it. Asked again for a finished Job it changes nothing.
         */
        post: operations["stop_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/open_session_shell": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a Session's shell
         * @description Opens the live shell of a Session, which keeps directory and variables between commands.
         */
        post: operations["open_session_shell"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/session_shell_exec": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run in a Session's shell
         * @description Runs one command in a Session's live shell; one that outlives the call goes on there as a Job.
         */
        post: operations["session_shell_exec"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/session_shell_status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at a Session's shell
         * @description Shows state, directory and running command of a Session's live shell, or how its last one ended.
         */
        post: operations["session_shell_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/close_session_shell": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a Session's shell
         * @description Ends a Session's shell, its running command and background processes; a repeat says already_closed.
         */
        post: operations["close_session_shell"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/session_create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a free shell
         * @description Opens a live shell on this machine, over ssh or in a container, that keeps directory and variables between commands.
         */
        post: operations["session_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/session_exec": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run in a free shell
         * @description Runs one command in a free shell and answers with its output; one that outlives the call goes on as a Job.
         */
        post: operations["session_exec"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/session_list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List free shells
         * @description Lists the live free shells of the caller, oldest first, with what runs in them.
         */
        post: operations["session_list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/session_checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List checkpoints
         * @description Lists the kept states of a remote shell's workspace folder, newest first.
         */
        post: operations["session_checkpoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/session_checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Checkpoint a remote folder
         * @description Keeps the present state of a remote shell's workspace folder, so that session_restore can bring it back.
         */
        post: operations["session_checkpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/session_destroy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a free shell
         * @description Ends a free shell, its running command and its background processes. Asked again it changes nothing.
         */
        post: operations["session_destroy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/session_restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a checkpoint
         * @description Makes a remote shell's workspace folder equal to a checkpoint, after keeping its present state as one.
         */
        post: operations["session_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/project_overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Project overview
         * @description What kind of project it is, from names only: types, manifests, key files, source, test and docs directories, first reads, and the repository at a glance. The same tree gives the same answer.
         */
        post: operations["project_overview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/read_files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read files
         * @description Reads pages of up to 8 text files with hash, encoding and line facts. A page that ends early says where the next starts; an item's error leaves the others standing.
         */
        post: operations["read_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/search_project_texts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search texts
         * @description Runs up to 8 searches over the Project's text files, hidden ones included; ignored, bulk, binary and sensitive files are left out. Records come in order of path and line, by pages; a timeout returns what was found.
         */
        post: operations["search_project_texts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/apply_text_edits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply text edits
         * @description Edits, creates and replaces files, all or none. Bytes outside an edit stay.
         */
        post: operations["apply_text_edits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/git_status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Git status
         * @description State of the Project's repository: HEAD, upstream, running operation, counts, changed and untracked paths, stashes. Nothing is written, and no command of the repository's configuration runs.
         */
        post: operations["git_status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/git_diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Git diff
         * @description Compares HEAD, index, files or two revisions: hunks by pages, or counts with totals. Untracked files show as added. A continuation is refused once HEAD, the index or a changed file moved on.
         */
        post: operations["git_diff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/call_read_tool": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run any reading tool
         * @description Runs one tool that only observes, by name; names come from list_tools, arguments from tool_manifest.
         */
        post: operations["call_read_tool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/call_tool": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run any tool
         * @description Runs one tool by name, also one that changes or executes; names come from list_tools.
         */
        post: operations["call_tool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/grants/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a grant
         * @description Makes a grant; its secret is in this reply and nowhere else.
         */
        post: operations["createGrant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/grants/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All grants
         * @description All grants.
         */
        post: operations["listGrants"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/grants/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revokes a grant with the next call
         * @description Revokes a grant with the next call; idempotent.
         */
        post: operations["revokeGrant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Projects that the caller may access
         * @description Projects that the caller may access.
         */
        post: operations["listOperatorProjects"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Registers a directory as a Project
         * @description Registers a directory as a Project.
         */
        post: operations["registerOperatorProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/unregister": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends a registration
         * @description Ends a registration; deletes no file.
         */
        post: operations["unregisterOperatorProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runtime/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follows the caller's live shells and Jobs
         * @description Follows the caller's live shells and Jobs, as Server-Sent Events.
         */
        get: operations["watchRuntime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Version
         * @description Version, modes, limits and health of the server.
         */
        post: operations["readStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a token
         * @description Makes a token; its secret is in this reply and nowhere else.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tokens of one user or of all
         * @description Tokens of one user or of all.
         */
        post: operations["listTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tokens/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revokes a token with the next call
         * @description Revokes a token with the next call; idempotent.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds a user under a name that was never given out
         * @description Adds a user under a name that was never given out.
         */
        post: operations["addUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disables a user
         * @description Disables a user; their tokens stop with the next call.
         */
        post: operations["disableUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All users
         * @description All users.
         */
        post: operations["listUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-sessions/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Closes one Session
         * @description Closes one Session; idempotent.
         */
        post: operations["closeWorkflowSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-sessions/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A bounded view of one Session's ledger
         * @description A bounded view of one Session's ledger.
         */
        post: operations["summarizeWorkflowSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AddUserBody: {
            name: components["schemas"]["UserName"];
            /** @description Default: the `agent` bundle. */
            scopes?: components["schemas"]["ScopeName"][];
            /** @description Default: all. */
            projects?: components["schemas"]["ProjectChoice"][];
        };
        /** @description Sidecars of a call, beside its output. */
        Attached: {
            [key: string]: unknown;
        };
        CreateGrantBody: {
            name: components["schemas"]["Label"];
            /** @description The Projects it opens. */
            projects: components["schemas"]["ProjectSlug"][];
            /** @description Default: the `grant` bundle. */
            scopes?: components["schemas"]["ScopeName"][];
            mode?: components["schemas"]["ModeName"];
            /** @description Default: 30 days. */
            expires_in_secs?: components["schemas"]["LifeSecs"];
        };
        CreateTokenBody: {
            user: components["schemas"]["UserName"];
            name: components["schemas"]["Label"];
            /** @description Default: the `agent` bundle. */
            scopes?: components["schemas"]["ScopeName"][];
            /** @description Default: what the user has. */
            projects?: components["schemas"]["ProjectSlug"][];
            mode?: components["schemas"]["ModeName"];
            /** @description Default: 90 days. */
            expires_in_secs?: components["schemas"]["LifeSecs"];
            /** @description The token does not expire. */
            never?: boolean;
        };
        /** @description Id of a credential; never the secret. */
        CredentialName: string;
        /** @description A credential in outputs: its row without the hash (spec doors.md §2.1). Times are ms. */
        CredentialView: {
            id: string;
            kind: string;
            principal_id: string;
            hint: string;
            name: string;
            scopes: string[];
            projects?: string[];
            mode?: string;
            /** Format: double */
            created_at: number;
            /** Format: double */
            expires_at?: number;
            /** Format: double */
            last_used_at?: number;
            /** Format: double */
            revoked_at?: number;
            revoked_reason?: string;
        };
        CredentialsReply: {
            credentials: components["schemas"]["CredentialView"][];
        };
        DisabledUserReply: {
            user: components["schemas"]["UserView"];
            already_disabled: boolean;
        };
        /** @enum {string} */
        ErrorKind: "invalid_arguments" | "project_required" | "unauthenticated" | "insufficient_scope" | "session_authority_identity_unavailable" | "tool_disabled" | "session_authority_denied" | "session_guard_denied" | "permission_denied" | "project_access_denied" | "session_project_mismatch" | "effect_not_allowed" | "unknown_session_id" | "project_not_found" | "unknown_tool" | "unsupported_resource" | "session_closed" | "session_unreadable" | "workspace_missing" | "capability_unavailable" | "project_unavailable" | "runner_unavailable" | "project_busy" | "revision_conflict" | "project_exists" | "path_not_allowed" | "path_not_found" | "confirmation_required" | "idempotency_conflict" | "storage_unavailable" | "deadline_exceeded" | "cancelled" | "interrupted" | "outcome_unknown" | "internal_error" | "chat_session_id_invalid" | "chat_session_unknown" | "host_denied" | "origin_denied" | "route_not_found" | "method_not_allowed" | "unsupported_media_type" | "payload_too_large" | "invalid_json" | "rate_limited" | "shutting_down" | "idempotency_key_invalid" | "call_in_progress" | "result_not_retained" | "call_not_found" | "session_capability_upgrade_denied" | "invalid_execution_context" | "session_execution_context_requires_project" | "session_capacity_exceeded" | "unknown_client_id" | "coding_continuity_commit_failed" | "work_on_project_projection_failed" | "invalid_session_message" | "unknown_message_id" | "session_message_not_todo" | "message_not_open" | "message_board_full" | "assignment_too_large" | "invalid_assignment_fence" | "assignment_stale" | "already_completed" | "completion_persistence_uncertain" | "message_unreadable" | "invalid_session_message_observation_token" | "process_exit" | "timed_out" | "executable_not_found" | "not_executable" | "interpreter_unavailable" | "use_run_shell" | "cwd_invalid" | "env_name_reserved" | "spawn_failed" | "job_limit_reached" | "job_not_found" | "observation_token_invalid" | "budget_invalid" | "output_evicted" | "shell_not_found" | "checkpoint_not_found" | "shell_busy" | "shell_closed" | "shell_lost" | "shell_reset_required" | "shell_exited" | "shell_limit_reached" | "shell_already_open" | "shell_start_failed" | "ssh_failed" | "ssh_auth_required" | "shell_cwd_lost" | "shell_cwd_denied" | "fence_denied" | "host_key_changed" | "host_key_unknown" | "key_unavailable" | "container_not_found" | "container_not_running" | "checkpoint_unsupported" | "invalid_path" | "path_twin" | "is_symlink" | "not_regular_file" | "not_directory" | "file_too_large" | "binary_file" | "unsupported_encoding" | "encoding_mismatch" | "unencodable_text" | "redaction_marker" | "invalid_pattern" | "invalid_glob" | "overlapping_edits" | "overlapping_changes" | "unknown_revision" | "not_found" | "path_exists" | "match_not_found" | "multiple_matches" | "occurrence_out_of_range" | "sha256_mismatch" | "snapshot_changed" | "changed_during_read" | "path_changed" | "workspace_busy" | "git_index_locked" | "storage_full" | "path_escapes_root" | "symlink_loop" | "protected_path" | "sensitive_path" | "guard_denied" | "file_access_denied" | "not_git_project" | "git_unavailable" | "git_too_old" | "git_unsafe_ownership" | "all_items_failed" | "search_failed" | "git_failed" | "edit_failed";
        /** @description An error as it crosses the wire (spec kernel.md §6). */
        ErrorReplyBody: {
            kind: string;
            message: string;
            /** @enum {string} */
            recovery: "fix_input" | "reobserve" | "retry_same" | "retry_later" | "reauthorize" | "none";
            /** @enum {string} */
            execution_state?: "not_started" | "running" | "completed" | "timed_out" | "cancelled" | "outcome_unknown";
            /** Format: int32 */
            retry_after_ms?: number;
            /** @description A closed object per kind. */
            details?: unknown;
        };
        /** @description What a person will recognise the credential by. */
        Label: string;
        /**
         * Format: int32
         * @description Life in seconds.
         */
        LifeSecs: number;
        ListTokensBody: {
            user?: components["schemas"]["UserName"];
        };
        /** @description Whether calls that write or run need a human. */
        ModeName: string;
        /** @description The only time a secret is shown. */
        NewCredentialReply: {
            credential: components["schemas"]["CredentialView"];
            token: string;
        };
        /** @description Takes nothing. */
        NoBody: components["schemas"]["Record_string.never_"];
        /** @description Slug of a Project; `*` alone is all of them. */
        ProjectChoice: string;
        /** @description Slug of a Project. */
        ProjectSlug: string;
        /** @description Why it ended; shown in lists. */
        Reason: string;
        /** @description Construct a type with a set of properties K of type T */
        "Record_string.never_": Record<string, never>;
        /** @description Construct a type with a set of properties K of type T */
        "Record_string.unknown_": {
            [key: string]: unknown;
        };
        Refusal: {
            /** @constant */
            success: false;
            error: components["schemas"]["ToolError"];
            output?: {
                [key: string]: unknown;
            };
            attached?: components["schemas"]["Attached"];
        };
        RevokeBody: {
            id: components["schemas"]["CredentialName"];
            reason?: components["schemas"]["Reason"];
        };
        RevokedCredentialReply: {
            credential: components["schemas"]["CredentialView"];
            already_revoked: boolean;
        };
        /** @description A scope of kernel.md §2.3. */
        ScopeName: string;
        ToolError: {
            kind: components["schemas"]["ErrorKind"];
            message: string;
            /** @enum {string} */
            recovery: "fix_input" | "reobserve" | "retry_same" | "retry_later" | "reauthorize" | "none";
            /** @enum {string} */
            execution_state?: "not_started" | "running" | "completed" | "timed_out" | "cancelled" | "outcome_unknown";
            retry_after_ms?: number;
            details?: {
                [key: string]: unknown;
            };
        };
        /** @description The tool's own input; its schema is that of the tool. */
        ToolInput: components["schemas"]["Record_string.unknown_"];
        /** @description The ToolResult of the tool behind a route. */
        ToolReply: {
            success: boolean;
            /** @description An object: what the tool's definition says. */
            output?: unknown;
            error?: components["schemas"]["ErrorReplyBody"];
            /** @description An object of sidecars. */
            attached?: unknown;
        };
        UserBody: {
            name: components["schemas"]["UserName"];
        };
        /** @description Name of a user; never given out twice. */
        UserName: string;
        UserReply: {
            user: components["schemas"]["UserView"];
        };
        /** @description A user in outputs. Times are ms. */
        UserView: {
            name: string;
            projects: string[];
            scopes: string[];
            /** Format: double */
            created_at: number;
            /** Format: double */
            disabled_at?: number;
        };
        UsersReply: {
            users: components["schemas"]["UserView"][];
        };
    };
    responses: {
        /** @description Refused with status 400 before anything ran; error.kind says why. */
        Refused400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Refused with status 401 before anything ran; error.kind says why. */
        Refused401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Refused with status 403 before anything ran; error.kind says why. */
        Refused403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Refused with status 404 before anything ran; error.kind says why. */
        Refused404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Refused with status 405 before anything ran; error.kind says why. */
        Refused405: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Refused with status 409 before anything ran; error.kind says why. */
        Refused409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Refused with status 413 before anything ran; error.kind says why. */
        Refused413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Refused with status 415 before anything ran; error.kind says why. */
        Refused415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Refused with status 429 before anything ran; error.kind says why. */
        Refused429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Refused with status 500 before anything ran; error.kind says why. */
        Refused500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description Refused with status 503 before anything ran; error.kind says why. */
        Refused503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_tools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Part of name, title or description, in any case. */
                    query?: string;
                    /**
                     * @description Only tools of this category.
                     * @enum {string}
                     */
                    category?: "discovery" | "project" | "session" | "message" | "peer" | "workflow" | "validation" | "exec" | "job" | "shell" | "file" | "search" | "edit" | "git" | "checkpoint" | "memory" | "skill" | "run" | "chat" | "upstream" | "conversation";
                    /**
                     * @description Only tools of this effect.
                     * @enum {string}
                     */
                    effect?: "observe" | "mutate" | "execute";
                    /**
                     * @description Most tools to return.
                     * @default 100
                     */
                    limit?: number;
                    /**
                     * @description Tools to skip, from next_offset.
                     * @default 0
                     */
                    offset?: number;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @enum {string} */
                            surface: "coding" | "shell" | "workflow" | "full";
                            total: number;
                            next_offset?: number;
                            tools: {
                                name: string;
                                title: string;
                                description: string;
                                /** @enum {string} */
                                effect: "observe" | "mutate" | "execute";
                                /** @enum {string} */
                                category: "discovery" | "project" | "session" | "message" | "peer" | "workflow" | "validation" | "exec" | "job" | "shell" | "file" | "search" | "edit" | "git" | "checkpoint" | "memory" | "skill" | "run" | "chat" | "upstream" | "conversation";
                                surfaces: ("coding" | "shell" | "workflow" | "full")[];
                                args: string;
                                /** @enum {string} */
                                reach: "direct" | "call_read_tool" | "call_tool";
                                missing_scopes?: ("runtime:read" | "project:read" | "project:write" | "job:run" | "job:detach" | "remote:use" | "session:collaborate" | "memory:read" | "memory:manage" | "chat:read" | "chat:use" | "chat:manage" | "upstream:call" | "plugin:inspect" | "run:read" | "run:use" | "conversation:read" | "conversation:use" | "conversation:agent" | "audit:read" | "audit:manage" | "account:manage" | "admin")[];
                            }[];
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    tool_manifest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the tool, as list_tools gives it. */
                    tool_name: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            name: string;
                            aliases: {
                                /** @enum {string} */
                                surface: "coding" | "shell" | "workflow" | "full";
                                name: string;
                            }[];
                            title: string;
                            description: string;
                            /** @enum {string} */
                            category: "discovery" | "project" | "session" | "message" | "peer" | "workflow" | "validation" | "exec" | "job" | "shell" | "file" | "search" | "edit" | "git" | "checkpoint" | "memory" | "skill" | "run" | "chat" | "upstream" | "conversation";
                            /** @enum {string} */
                            effect: "observe" | "mutate" | "execute";
                            /** @enum {string} */
                            mutates?: "workspace" | "session" | "knowledge";
                            hints: {
                                readOnlyHint: boolean;
                                destructiveHint: boolean;
                                idempotentHint: boolean;
                                openWorldHint: boolean;
                            };
                            idempotency: string;
                            risk: string;
                            scopes: ("runtime:read" | "project:read" | "project:write" | "job:run" | "job:detach" | "remote:use" | "session:collaborate" | "memory:read" | "memory:manage" | "chat:read" | "chat:use" | "chat:manage" | "upstream:call" | "plugin:inspect" | "run:read" | "run:use" | "conversation:read" | "conversation:use" | "conversation:agent" | "audit:read" | "audit:manage" | "account:manage" | "admin")[];
                            target: {
                                /** @enum {string} */
                                project: "none" | "optional" | "required";
                                /** @enum {string} */
                                session: "none" | "optional" | "required";
                                /** @enum {string} */
                                chat: "none" | "optional" | "required";
                            };
                            inherits: ("cwd" | "shell" | "resource")[];
                            surfaces: ("coding" | "shell" | "workflow" | "full")[];
                            /** @enum {string} */
                            reach: "direct" | "call_read_tool" | "call_tool";
                            schema_hash: string;
                            input_schema?: {
                                [key: string]: unknown;
                            };
                            output_schema?: {
                                [key: string]: unknown;
                            };
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    runtime_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @constant */
                            service: "holdfast";
                            version: string;
                            instance: string;
                            uptime_ms: number;
                            /** @enum {string} */
                            surface: "coding" | "shell" | "workflow" | "full";
                            /** @enum {string} */
                            door: "http" | "mcp" | "stdio" | "embedded" | "system";
                            authority: {
                                /** @enum {string} */
                                mode: "trusted_agent" | "restricted";
                                /** @enum {string} */
                                source: "flag" | "env" | "file" | "default" | "credential";
                                /** @enum {string} */
                                permission_bearing: "allowed" | "denied";
                            };
                            features: string[];
                            store: {
                                /** @enum {string} */
                                dialect: "sqlite" | "postgres";
                                schema_version: number;
                                size_bytes: number;
                            };
                            runners: {
                                client_id: string;
                                online: boolean;
                                /** @enum {string} */
                                confinement: "anchored" | "checked";
                            }[];
                            counts: {
                                projects: number;
                                sessions_active: number;
                                jobs_active: number;
                                jobs_recovering: number;
                                shells: number;
                            };
                            limits: {
                                deadline_ms: number;
                                reply_limit_chars: number;
                                body_limit_bytes: number;
                            };
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    list_projects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Only the Project of this slug. */
                    project?: string;
                    /** @description Part of slug, title or description, any case. */
                    query?: string;
                    /** @description Only Projects of this Runner. */
                    client_id?: string;
                    /**
                     * @description Also those whose root cannot be used now.
                     * @default true
                     */
                    include_unavailable?: boolean;
                    /**
                     * @description Most Projects to return.
                     * @default 50
                     */
                    limit?: number;
                    /** @description next_cursor of the page before, with the same filters. */
                    cursor?: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Projects by slug. */
                            projects: {
                                /** @description Slug. */
                                project: string;
                                /** @description Title. */
                                title?: string;
                                /** @description Description. */
                                description?: string;
                                /** @description Runner that owns it. */
                                client_id: string;
                                /** @description Root directory. */
                                root: string;
                                /**
                                 * @description How it came to be.
                                 * @enum {string}
                                 */
                                kind: "registered" | "managed_worktree";
                                /**
                                 * @description Whether its root can be used now.
                                 * @enum {string}
                                 */
                                status?: "available" | "missing" | "runner_offline";
                                /** @description The root has its own repository. */
                                git?: boolean;
                                /** @description Revision, for unregister_project. */
                                revision: number;
                                /** @description Jobs that are not finished. */
                                active_jobs: number;
                            }[];
                            /** @description Projects that match, on all pages. */
                            total: number;
                            /** @description Cursor of the next page. */
                            next_cursor?: string;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    register_project: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Absolute path of the directory. */
                    path: string;
                    /**
                     * @description Runner on whose machine it is.
                     * @default local
                     */
                    client_id?: string;
                    /** @description Wanted slug; left out: from the folder's name. */
                    project?: string;
                    /** @description Title. */
                    title?: string;
                    /** @description Description. */
                    description?: string;
                    /**
                     * @description Make the directory, one level.
                     * @default false
                     */
                    create?: boolean;
                    /**
                     * @description Make it a repository if it is none.
                     * @default false
                     */
                    git_init?: boolean;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Slug. */
                            project: string;
                            /** @description A registration was made. */
                            created: boolean;
                            /** @description The directory was made. */
                            created_directory: boolean;
                            /** @description Runner that owns it. */
                            client_id: string;
                            /** @description Real path of the root. */
                            root: string;
                            /** @description The root has its own repository. */
                            git?: boolean;
                            /** @description Revision. */
                            revision: number;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    unregister_project: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project: string;
                    /** @description Revision as list_projects shows it. */
                    expected_revision: number;
                    /** @description Must be true. */
                    confirm: boolean;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /**
                             * @description The registration has ended.
                             * @constant
                             */
                            unregistered: true;
                            /** @description It had ended before this call. */
                            already: boolean;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    start_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug; left out for a Session without a Project. */
                    project?: string;
                    /** @description One line that says what the work is. */
                    title?: string;
                    /**
                     * @description read_only refuses writing and executing tools.
                     * @default normal
                     * @enum {string}
                     */
                    mode?: "normal" | "read_only";
                    /** @description What a normal Session refuses: writing tools, shell tools. */
                    guards?: {
                        /**
                         * @description Refuse tools that change the workspace.
                         * @default false
                         */
                        deny_write_tools?: boolean;
                        /**
                         * @description Refuse tools that run commands.
                         * @default false
                         */
                        deny_shell_tools?: boolean;
                    };
                    /** @description Defaults of commands; needs a Project. */
                    execution_context?: {
                        /** @description Default folder, relative to the project root. */
                        default_cwd?: string;
                        /**
                         * @description Default shell of commands.
                         * @enum {string}
                         */
                        default_shell?: "sh" | "bash";
                        /** @description SSH resource that commands run on. */
                        resource?: string;
                    };
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description The Workflow Session. */
                            session_id: string;
                            /** @description Project slug; absent for a Session without a Project. */
                            project?: string;
                            /**
                             * @description The Project's registration has ended.
                             * @constant
                             */
                            project_unregistered?: true;
                            /** @description Title. */
                            title?: string;
                            /**
                             * @description Closed is final.
                             * @enum {string}
                             */
                            lifecycle: "active" | "closed";
                            /**
                             * @description Mode.
                             * @enum {string}
                             */
                            mode: "normal" | "read_only";
                            /** @description Effective guards. */
                            guards: {
                                /** @description Tools that change the workspace are refused. */
                                deny_write_tools: boolean;
                                /** @description Tools that run commands are refused. */
                                deny_shell_tools: boolean;
                            };
                            /** @description Defaults of commands. */
                            execution_context: {
                                /** @description Default folder of commands. */
                                default_cwd?: string;
                                /**
                                 * @description Default shell of commands.
                                 * @enum {string}
                                 */
                                default_shell?: "sh" | "bash";
                                /** @description SSH resource that commands run on. */
                                resource?: string;
                            };
                            /** @description Start, ms since 1970. */
                            created_at: number;
                            /** @description Newest event, ms since 1970. */
                            updated_at: number;
                            /** @description End, ms since 1970. */
                            closed_at?: number;
                            /** @description Events ever recorded. */
                            events_total: number;
                            /** @description A recorded call has changed repository content. */
                            repository_edited: boolean;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    session_summary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The Workflow Session. */
                    session_id: string;
                    /**
                     * @description Most events to return.
                     * @default 50
                     */
                    limit?: number;
                    /** @description Only events with a smaller seq. */
                    before_seq?: number;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description The Workflow Session. */
                            session_id: string;
                            /** @description Project slug; absent for a Session without a Project. */
                            project?: string;
                            /**
                             * @description The Project's registration has ended.
                             * @constant
                             */
                            project_unregistered?: true;
                            /** @description Title. */
                            title?: string;
                            /**
                             * @description Closed is final.
                             * @enum {string}
                             */
                            lifecycle: "active" | "closed";
                            /**
                             * @description Mode.
                             * @enum {string}
                             */
                            mode: "normal" | "read_only";
                            /** @description Effective guards. */
                            guards: {
                                /** @description Tools that change the workspace are refused. */
                                deny_write_tools: boolean;
                                /** @description Tools that run commands are refused. */
                                deny_shell_tools: boolean;
                            };
                            /** @description Defaults of commands. */
                            execution_context: {
                                /** @description Default folder of commands. */
                                default_cwd?: string;
                                /**
                                 * @description Default shell of commands.
                                 * @enum {string}
                                 */
                                default_shell?: "sh" | "bash";
                                /** @description SSH resource that commands run on. */
                                resource?: string;
                            };
                            /** @description Start, ms since 1970. */
                            created_at: number;
                            /** @description Newest event, ms since 1970. */
                            updated_at: number;
                            /** @description End, ms since 1970. */
                            closed_at?: number;
                            /** @description Events ever recorded. */
                            events_total: number;
                            /** @description A recorded call has changed repository content. */
                            repository_edited: boolean;
                            /** @description Events that the ledger holds now. */
                            events_retained: number;
                            /** @description Events that it no longer holds. */
                            events_evicted: number;
                            /** @description Events were evicted: counts describe the retained tail. */
                            retention_truncated: boolean;
                            /** @description Smallest number that is held. */
                            ledger_first_retained_sequence?: number;
                            /** @description Events in this reply. */
                            events_returned: number;
                            /** @description Smallest number in this reply. */
                            first_returned_sequence?: number;
                            /** @description Older held events exist: page on with before_seq. */
                            events_truncated: boolean;
                            /** @description Counts over the retained ledger. */
                            counts: {
                                /** @description Calls in the retained ledger, each counted once. */
                                tool_calls: number;
                                /** @description Calls that succeeded. */
                                succeeded: number;
                                /** @description Calls that failed, refused and unknown ones included. */
                                failed: number;
                                /** @description Failed calls of which nobody knows the outcome. */
                                outcome_unknown: number;
                                /** @description Failed calls that never started. */
                                refused: number;
                                /** @description Calls by effect. */
                                by_effect: {
                                    /** @description Reading calls. */
                                    observe: number;
                                    /** @description Changing calls. */
                                    mutate: number;
                                    /** @description Executing calls. */
                                    execute: number;
                                };
                                /** @description Calls by activity. */
                                by_activity: {
                                    /** @description Reads and searches. */
                                    explore: number;
                                    /** @description Listings and status. */
                                    enumerate: number;
                                    /** @description Diffs and reviews. */
                                    review: number;
                                    /** @description Edits. */
                                    edit: number;
                                    /** @description Version control writes. */
                                    vcs: number;
                                    /** @description Commands. */
                                    execute: number;
                                    /** @description Validators. */
                                    validate: number;
                                    /** @description Session records. */
                                    session: number;
                                    /** @description All else. */
                                    other: number;
                                };
                            };
                            /** @description Held events that cannot be read; they enter no count. */
                            unreadable_events: number;
                            /** @description Calls in flight. */
                            open_calls: {
                                /** @description Calls in flight, without this one. */
                                total: number;
                                /** @description The first of them. */
                                items: {
                                    /** @description The call. */
                                    call_id: string;
                                    /** @description Its tool. */
                                    tool_name: string;
                                    /**
                                     * @description Role of this Session in it.
                                     * @enum {string}
                                     */
                                    role?: "recorder" | "business";
                                    /** @description Event of its start. */
                                    seq?: number;
                                    /** @description Start, ms since 1970. */
                                    started_at: number;
                                }[];
                            };
                            /** @description Its message board. */
                            board: {
                                /** @description Messages that its board holds. */
                                retained: number;
                                /** @description What is open there. */
                                open_counts: {
                                    /** @description Open guidance. */
                                    guidance: number;
                                    /** @description Open questions. */
                                    question: number;
                                    /** @description Open todos. */
                                    todo: number;
                                    /** @description Open risks. */
                                    risk: number;
                                };
                                /** @description Open messages that are shown until they are resolved. */
                                ack_required_open: number;
                            };
                            /** @description Newest first. */
                            events: ({
                                /** @constant */
                                kind: "session_started";
                                event_id: string;
                                at: number;
                                /** @enum {string} */
                                door: "http" | "mcp" | "stdio" | "embedded" | "system";
                                project?: string;
                                title?: string;
                                /** @enum {string} */
                                mode: "normal" | "read_only";
                                guards: {
                                    deny_write_tools: boolean;
                                    deny_shell_tools: boolean;
                                };
                                execution_context: {
                                    default_cwd?: string;
                                    /** @enum {string} */
                                    default_shell?: "sh" | "bash";
                                    resource?: string;
                                };
                                /** @description Number of the event in its Session. */
                                seq: number;
                            } | {
                                /** @constant */
                                kind: "task_instruction";
                                event_id: string;
                                at: number;
                                /** @enum {string} */
                                door: "http" | "mcp" | "stdio" | "embedded" | "system";
                                instruction: string;
                                redacted: boolean;
                                resumed: boolean;
                                /** @enum {string} */
                                requested_mode?: "normal" | "read_only";
                                /** @enum {string} */
                                effective_mode: "normal" | "read_only";
                                guards: {
                                    deny_write_tools: boolean;
                                    deny_shell_tools: boolean;
                                };
                                capability_changed: boolean;
                                execution_context_changed: boolean;
                                permission?: {
                                    request_id: string;
                                    mode: string;
                                    status: string;
                                    reason: string;
                                    risk: string;
                                    at: number;
                                };
                                /** @description Number of the event in its Session. */
                                seq: number;
                            } | {
                                /** @constant */
                                kind: "session_execution_context_updated";
                                event_id: string;
                                at: number;
                                /** @enum {string} */
                                door: "http" | "mcp" | "stdio" | "embedded" | "system";
                                previous: {
                                    default_cwd?: string;
                                    /** @enum {string} */
                                    default_shell?: "sh" | "bash";
                                    resource?: string;
                                };
                                current: {
                                    default_cwd?: string;
                                    /** @enum {string} */
                                    default_shell?: "sh" | "bash";
                                    resource?: string;
                                };
                                /** @description Number of the event in its Session. */
                                seq: number;
                            } | {
                                /** @constant */
                                kind: "session_closed";
                                event_id: string;
                                at: number;
                                /** @enum {string} */
                                door: "http" | "mcp" | "stdio" | "embedded" | "system";
                                open_counts?: {
                                    guidance: number;
                                    question: number;
                                    todo: number;
                                    risk: number;
                                };
                                open_calls: number;
                                running_jobs: number;
                                /** @description Number of the event in its Session. */
                                seq: number;
                            } | {
                                /** @constant */
                                kind: "tool_call_started";
                                event_id: string;
                                at: number;
                                /** @enum {string} */
                                door: "http" | "mcp" | "stdio" | "embedded" | "system";
                                call_id: string;
                                invocation_id: string;
                                /** @enum {string} */
                                role: "recorder" | "business";
                                tool_name: string;
                                project?: string;
                                /** @enum {string} */
                                effect: "observe" | "mutate" | "execute";
                                /** @enum {string} */
                                activity: "explore" | "enumerate" | "review" | "edit" | "vcs" | "execute" | "validate" | "session" | "other";
                                facts: {
                                    [key: string]: unknown;
                                };
                                /** @description Number of the event in its Session. */
                                seq: number;
                            } | {
                                /** @constant */
                                kind: "tool_call_finished";
                                event_id: string;
                                at: number;
                                /** @enum {string} */
                                door: "http" | "mcp" | "stdio" | "embedded" | "system";
                                call_id: string;
                                invocation_id: string;
                                /** @enum {string} */
                                role: "recorder" | "business";
                                tool_name: string;
                                project?: string;
                                /** @enum {string} */
                                effect: "observe" | "mutate" | "execute";
                                /** @enum {string} */
                                activity: "explore" | "enumerate" | "review" | "edit" | "vcs" | "execute" | "validate" | "session" | "other";
                                started_seq: number;
                                duration_ms: number;
                                /** @enum {string} */
                                status: "succeeded" | "failed";
                                error?: {
                                    kind: string;
                                    recovery: string;
                                    execution_state?: string;
                                };
                                evidence?: {
                                    state_changed?: boolean;
                                    command_started?: boolean;
                                    command_completed?: boolean;
                                    /** @enum {string} */
                                    execution_state?: "not_started" | "running" | "completed" | "timed_out" | "cancelled" | "outcome_unknown";
                                };
                                exit_code?: number | null;
                                signal?: string;
                                job_id?: string;
                                changed_paths: string[];
                                changed_total: number;
                                observed_paths: string[];
                                observed_total: number;
                                expectation?: {
                                    declared: ("success" | "failure" | "observe") | null;
                                    accepted_exit_codes?: number[];
                                    /** @enum {string} */
                                    classification: "none" | "matched_expected_result" | "matched_expected_failure" | "expectation_mismatch" | "unexpected_success" | "unexpected_failure";
                                    satisfied: boolean | null;
                                };
                                validation?: {
                                    [key: string]: unknown;
                                };
                                permission?: {
                                    request_id: string;
                                    mode: string;
                                    status: string;
                                    reason: string;
                                    risk: string;
                                    at: number;
                                };
                                facts: {
                                    [key: string]: unknown;
                                };
                                /** @constant */
                                recovered?: true;
                                /** @description Number of the event in its Session. */
                                seq: number;
                            } | {
                                /** @constant */
                                kind: "job_finished";
                                event_id: string;
                                at: number;
                                /** @enum {string} */
                                door: "http" | "mcp" | "stdio" | "embedded" | "system";
                                job_id: string;
                                tool_name: string;
                                call_id: string;
                                outcome: string;
                                exit_code?: number | null;
                                signal?: string;
                                execution_state: string;
                                expectation?: {
                                    declared: ("success" | "failure" | "observe") | null;
                                    accepted_exit_codes?: number[];
                                    /** @enum {string} */
                                    classification: "none" | "matched_expected_result" | "matched_expected_failure" | "expectation_mismatch" | "unexpected_success" | "unexpected_failure";
                                    satisfied: boolean | null;
                                };
                                output: {
                                    [key: string]: unknown;
                                };
                                /** @description Number of the event in its Session. */
                                seq: number;
                            } | {
                                /** @constant */
                                kind: "unreadable";
                                /** @description Number of the event in its Session. */
                                seq: number;
                                event_id: string;
                            })[];
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    list_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Only Sessions of this Project; left out for all, project-less too. */
                    project?: string;
                    /**
                     * @description Only active or only closed ones.
                     * @enum {string}
                     */
                    lifecycle?: "active" | "closed";
                    /**
                     * @description Most Sessions to return.
                     * @default 20
                     */
                    limit?: number;
                    /** @description next_cursor of the page before, with the same filters. */
                    cursor?: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Newest change first. */
                            sessions: {
                                /** @description The Workflow Session. */
                                session_id: string;
                                /** @description Project slug; absent for a Session without a Project. */
                                project?: string;
                                /**
                                 * @description The Project's registration has ended.
                                 * @constant
                                 */
                                project_unregistered?: true;
                                /** @description Title. */
                                title?: string;
                                /**
                                 * @description unreadable: its stored row is damaged.
                                 * @enum {string}
                                 */
                                lifecycle: "active" | "closed" | "unreadable";
                                /**
                                 * @description Mode.
                                 * @enum {string}
                                 */
                                mode?: "normal" | "read_only";
                                /** @description Start, ms since 1970. */
                                created_at?: number;
                                /** @description Newest event, ms since 1970. */
                                updated_at?: number;
                                /** @description End, ms since 1970. */
                                closed_at?: number;
                                /** @description Events ever recorded. */
                                events_total?: number;
                                /** @description What is open on its board. */
                                open_counts?: {
                                    /** @description Open guidance. */
                                    guidance: number;
                                    /** @description Open questions. */
                                    question: number;
                                    /** @description Open todos. */
                                    todo: number;
                                    /** @description Open risks. */
                                    risk: number;
                                };
                                /** @description Open messages that are shown until they are resolved. */
                                ack_required_open?: number;
                            }[];
                            /** @description Sessions that match, on all pages. */
                            total: number;
                            /** @description Cursor of the next page. */
                            next_cursor?: string;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    update_session_context: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Slug of the Session's Project. */
                    project: string;
                    /** @description The Workflow Session. */
                    session_id: string;
                    /** @description All new defaults: default_cwd (relative to the root), default_shell, resource (SSH). */
                    execution_context: {
                        /** @description Default folder, relative to the project root. */
                        default_cwd?: string;
                        /**
                         * @description Default shell of commands.
                         * @enum {string}
                         */
                        default_shell?: "sh" | "bash";
                        /** @description SSH resource that commands run on. */
                        resource?: string;
                    };
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description The Workflow Session. */
                            session_id: string;
                            /** @description Project slug. */
                            project: string;
                            /** @description Defaults before. */
                            previous_execution_context: {
                                /** @description Default folder of commands. */
                                default_cwd?: string;
                                /**
                                 * @description Default shell of commands.
                                 * @enum {string}
                                 */
                                default_shell?: "sh" | "bash";
                                /** @description SSH resource that commands run on. */
                                resource?: string;
                            };
                            /** @description Defaults now. */
                            execution_context: {
                                /** @description Default folder of commands. */
                                default_cwd?: string;
                                /**
                                 * @description Default shell of commands.
                                 * @enum {string}
                                 */
                                default_shell?: "sh" | "bash";
                                /** @description SSH resource that commands run on. */
                                resource?: string;
                            };
                            /** @description They differ. */
                            changed: boolean;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    close_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The Workflow Session. */
                    session_id: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description The closed Session. */
                            session_id: string;
                            /**
                             * @description Closed is final.
                             * @constant
                             */
                            lifecycle: "closed";
                            /** @description It was closed before this call. */
                            already_closed: boolean;
                            /** @description When it was closed, ms since 1970. */
                            closed_at: number;
                            /** @description What is still open on its board; it stays so. */
                            open_counts: {
                                /** @description Open guidance. */
                                guidance: number;
                                /** @description Open questions. */
                                question: number;
                                /** @description Open todos. */
                                todo: number;
                                /** @description Open risks. */
                                risk: number;
                            };
                            /** @description Open messages that are shown until they are resolved. */
                            ack_required_open: number;
                            /** @description Calls still in flight in it, without this one. */
                            open_calls: number;
                            /** @description Its Jobs that go on. */
                            running_jobs: number;
                            /** @description Its live shell, which this call closed. */
                            shell?: {
                                /** @description The shell. */
                                shell_id: string;
                                /**
                                 * @description closing: its processes have not ended yet.
                                 * @enum {string}
                                 */
                                state: "closed" | "closing";
                            };
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    post_session_message: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Session whose board it is. */
                    session_id: string;
                    /**
                     * @description What it is. Open todo, question, risk and guidance stay until resolved.
                     * @enum {string}
                     */
                    kind: "note" | "proposal" | "question" | "answer" | "decision" | "risk" | "progress" | "guidance" | "todo";
                    /** @description Text. */
                    message: string;
                    /** @description Tags; empty and repeated ones are dropped. */
                    tags?: string[];
                    /** @description Message that it replies to. */
                    reply_to?: string;
                    /**
                     * @description Urgency.
                     * @default normal
                     * @enum {string}
                     */
                    priority?: "low" | "normal" | "high";
                    /**
                     * @description Show it with the Session's calls until it is resolved.
                     * @default false
                     */
                    requires_ack?: boolean;
                    /** @description Makes a repeat return the first message. */
                    delivery_key?: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Session of the board. */
                            session_id: string;
                            /** @description The message. */
                            message_id: string;
                            /** @description When it was posted, ms since 1970. */
                            created_at: number;
                            /** @description Whether it is shown until it is resolved. */
                            requires_ack: boolean;
                            /** @description An earlier call with this delivery_key posted it. */
                            replayed: boolean;
                            /** @description This call posted it. */
                            state_changed: boolean;
                            /** @description Secrets masked in the stored texts. */
                            redactions?: number;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    observe_session_messages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Session whose board it is. */
                    session_id: string;
                    /** @description Token of the last look; left out: a baseline without messages. */
                    after_observation_token?: string;
                    /** @description Wait so long for something new; only with a token. */
                    wait_secs?: number;
                    /**
                     * @description Most messages to return.
                     * @default 50
                     */
                    limit?: number;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Session of the board. */
                            session_id: string;
                            /**
                             * @description Of the Session; nothing comes after closed.
                             * @enum {string}
                             */
                            lifecycle: "active" | "closed";
                            /** @description New or changed since the token, oldest change first. */
                            messages: {
                                /** @description The message. */
                                message_id: string;
                                /** @description When it was posted, ms since 1970. */
                                created_at: number;
                                /**
                                 * @description What it is.
                                 * @enum {string}
                                 */
                                kind: "note" | "proposal" | "question" | "answer" | "decision" | "risk" | "progress" | "guidance" | "todo";
                                /**
                                 * @description Resolved is final.
                                 * @enum {string}
                                 */
                                status: "open" | "resolved";
                                /**
                                 * @description Urgency.
                                 * @enum {string}
                                 */
                                priority: "low" | "normal" | "high";
                                /** @description Text. */
                                message: string;
                                /** @description Tags. */
                                tags: string[];
                                /** @description Message that it replies to. */
                                reply_to?: string;
                                /** @description It is shown with calls until it is resolved. */
                                requires_ack: boolean;
                                /** @description First acknowledgement, ms since 1970. */
                                first_ack_observed_at?: number;
                                /** @description Session that recorded the call which posted it. */
                                author_session_id?: string;
                                /** @description When it was resolved, ms since 1970. */
                                resolved_at?: number;
                                /** @description How it was resolved. */
                                resolution?: string;
                                /** @description Answer that completed it. */
                                resolved_by_message_id?: string;
                                /** @description Intent that completed it. */
                                completion_id?: string;
                                /**
                                 * @description Texts are cut here.
                                 * @constant
                                 */
                                message_truncated?: true;
                            }[];
                            /** @description Where this look ended. */
                            observation_token: string;
                            /** @description Something changed since the token. */
                            changed: boolean;
                            /**
                             * @description How the wait ended.
                             * @enum {string}
                             */
                            wait_outcome: "immediate" | "updated" | "timeout" | "session_closed";
                            /** @description How long it waited. */
                            waited_ms: number;
                            /** @description Something that changed since the token is gone from the board. */
                            history_lost: boolean;
                            /** @description More changed messages are left: look again with this token. */
                            has_more: boolean;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    resolve_session_message: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Session whose board it is. */
                    session_id: string;
                    /** @description The message. */
                    message_id: string;
                    /** @description How it was resolved. */
                    resolution?: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Session of the board. */
                            session_id: string;
                            /** @description The message. */
                            message_id: string;
                            /**
                             * @description Resolved is final.
                             * @constant
                             */
                            status: "resolved";
                            /** @description This call changed it. */
                            changed: boolean;
                            /** @description It was resolved before this call. */
                            already_resolved: boolean;
                            /** @description When it was resolved, ms since 1970. */
                            resolved_at: number;
                            /** @description Secrets masked in the stored texts. */
                            redactions?: number;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    list_session_messages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Session whose board it is. */
                    session_id: string;
                    /**
                     * @description Only of this kind.
                     * @enum {string}
                     */
                    kind?: "note" | "proposal" | "question" | "answer" | "decision" | "risk" | "progress" | "guidance" | "todo";
                    /**
                     * @description Only in this state.
                     * @enum {string}
                     */
                    status?: "open" | "resolved";
                    /** @description Only this message. */
                    message_id?: string;
                    /** @description Only direct replies to it. */
                    reply_to?: string;
                    /** @description Only those posted before it. */
                    before_message_id?: string;
                    /**
                     * @description Most messages to return.
                     * @default 50
                     */
                    limit?: number;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Session of the board. */
                            session_id: string;
                            /** @description Newest first. */
                            messages: {
                                /** @description The message. */
                                message_id: string;
                                /** @description When it was posted, ms since 1970. */
                                created_at: number;
                                /**
                                 * @description What it is.
                                 * @enum {string}
                                 */
                                kind: "note" | "proposal" | "question" | "answer" | "decision" | "risk" | "progress" | "guidance" | "todo";
                                /**
                                 * @description Resolved is final.
                                 * @enum {string}
                                 */
                                status: "open" | "resolved";
                                /**
                                 * @description Urgency.
                                 * @enum {string}
                                 */
                                priority: "low" | "normal" | "high";
                                /** @description Text. */
                                message: string;
                                /** @description Tags. */
                                tags: string[];
                                /** @description Message that it replies to. */
                                reply_to?: string;
                                /** @description It is shown with calls until it is resolved. */
                                requires_ack: boolean;
                                /** @description First acknowledgement, ms since 1970. */
                                first_ack_observed_at?: number;
                                /** @description Session that recorded the call which posted it. */
                                author_session_id?: string;
                                /** @description When it was resolved, ms since 1970. */
                                resolved_at?: number;
                                /** @description How it was resolved. */
                                resolution?: string;
                                /** @description Answer that completed it. */
                                resolved_by_message_id?: string;
                                /** @description Intent that completed it. */
                                completion_id?: string;
                                /**
                                 * @description Texts are cut here.
                                 * @constant
                                 */
                                message_truncated?: true;
                            }[];
                            /** @description Messages that the filters match, without limit and page. */
                            matched: number;
                            /** @description Messages that the board holds. */
                            retained: number;
                            /** @description Stored messages that cannot be read. */
                            unreadable?: number;
                            /** @description More match: page on with it. */
                            next_before_message_id?: string;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    get_session_assignment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Session whose board it is. */
                    session_id: string;
                    /** @description The message. */
                    message_id: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Session of the board. */
                            session_id: string;
                            /** @description The todo. */
                            message_id: string;
                            /** @description The todo. */
                            todo: {
                                /** @description The message. */
                                message_id: string;
                                /** @description When it was posted, ms since 1970. */
                                created_at: number;
                                /**
                                 * @description What it is.
                                 * @enum {string}
                                 */
                                kind: "note" | "proposal" | "question" | "answer" | "decision" | "risk" | "progress" | "guidance" | "todo";
                                /**
                                 * @description Resolved is final.
                                 * @enum {string}
                                 */
                                status: "open" | "resolved";
                                /**
                                 * @description Urgency.
                                 * @enum {string}
                                 */
                                priority: "low" | "normal" | "high";
                                /** @description Text. */
                                message: string;
                                /** @description Tags. */
                                tags: string[];
                                /** @description Message that it replies to. */
                                reply_to?: string;
                                /** @description It is shown with calls until it is resolved. */
                                requires_ack: boolean;
                                /** @description First acknowledgement, ms since 1970. */
                                first_ack_observed_at?: number;
                                /** @description Session that recorded the call which posted it. */
                                author_session_id?: string;
                                /** @description When it was resolved, ms since 1970. */
                                resolved_at?: number;
                                /** @description How it was resolved. */
                                resolution?: string;
                                /** @description Answer that completed it. */
                                resolved_by_message_id?: string;
                                /** @description Intent that completed it. */
                                completion_id?: string;
                                /**
                                 * @description Texts are cut here.
                                 * @constant
                                 */
                                message_truncated?: true;
                            };
                            /** @description Its direct replies, oldest first. */
                            direct_replies: {
                                /** @description The message. */
                                message_id: string;
                                /** @description When it was posted, ms since 1970. */
                                created_at: number;
                                /**
                                 * @description What it is.
                                 * @enum {string}
                                 */
                                kind: "note" | "proposal" | "question" | "answer" | "decision" | "risk" | "progress" | "guidance" | "todo";
                                /**
                                 * @description Resolved is final.
                                 * @enum {string}
                                 */
                                status: "open" | "resolved";
                                /**
                                 * @description Urgency.
                                 * @enum {string}
                                 */
                                priority: "low" | "normal" | "high";
                                /** @description Text. */
                                message: string;
                                /** @description Tags. */
                                tags: string[];
                                /** @description Message that it replies to. */
                                reply_to?: string;
                                /** @description It is shown with calls until it is resolved. */
                                requires_ack: boolean;
                                /** @description First acknowledgement, ms since 1970. */
                                first_ack_observed_at?: number;
                                /** @description Session that recorded the call which posted it. */
                                author_session_id?: string;
                                /** @description When it was resolved, ms since 1970. */
                                resolved_at?: number;
                                /** @description How it was resolved. */
                                resolution?: string;
                                /** @description Answer that completed it. */
                                resolved_by_message_id?: string;
                                /** @description Intent that completed it. */
                                completion_id?: string;
                                /**
                                 * @description Texts are cut here.
                                 * @constant
                                 */
                                message_truncated?: true;
                            }[];
                            /** @description What was read; it goes stale when any of it changes. */
                            assignment_fence: string;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    session_discussion_summary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Session whose board it is. */
                    session_id: string;
                    /**
                     * @description Most items of a group.
                     * @default 5
                     */
                    limit?: number;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Session of the board. */
                            session_id: string;
                            /**
                             * @description Of the Session.
                             * @enum {string}
                             */
                            lifecycle: "active" | "closed";
                            /** @description Counts over the retained messages. */
                            counts: {
                                /** @description Messages that the board holds. */
                                retained: number;
                                /** @description Open ones. */
                                open: number;
                                /** @description Resolved ones. */
                                resolved: number;
                                /** @description Open ones that require an acknowledgement. */
                                ack_required_open: number;
                                /** @description Retained messages by kind. */
                                by_kind: {
                                    /** @description Notes. */
                                    note: number;
                                    /** @description Proposals. */
                                    proposal: number;
                                    /** @description Questions. */
                                    question: number;
                                    /** @description Answers. */
                                    answer: number;
                                    /** @description Decisions. */
                                    decision: number;
                                    /** @description Risks. */
                                    risk: number;
                                    /** @description Progress. */
                                    progress: number;
                                    /** @description Guidance. */
                                    guidance: number;
                                    /** @description Todos. */
                                    todo: number;
                                };
                            };
                            /** @description Urgent first, then oldest. */
                            open_guidance: {
                                /** @description The first of them. */
                                items: {
                                    /** @description The message. */
                                    message_id: string;
                                    /** @description When it was posted, ms since 1970. */
                                    created_at: number;
                                    /**
                                     * @description Urgency.
                                     * @enum {string}
                                     */
                                    priority: "low" | "normal" | "high";
                                    /**
                                     * @description Resolved is final.
                                     * @enum {string}
                                     */
                                    status: "open" | "resolved";
                                    /** @description It is shown with calls until it is resolved. */
                                    requires_ack: boolean;
                                    /** @description Message that it replies to. */
                                    reply_to?: string;
                                    /** @description Session that recorded the call which posted it. */
                                    author_session_id?: string;
                                    /** @description Beginning of the text. */
                                    excerpt: string;
                                    /** @description The text is longer. */
                                    truncated: boolean;
                                }[];
                                /** @description How many there are. */
                                total: number;
                                /** @description There are more than items. */
                                truncated: boolean;
                            };
                            /** @description Urgent first, then oldest. */
                            open_questions: {
                                /** @description The first of them. */
                                items: {
                                    /** @description The message. */
                                    message_id: string;
                                    /** @description When it was posted, ms since 1970. */
                                    created_at: number;
                                    /**
                                     * @description Urgency.
                                     * @enum {string}
                                     */
                                    priority: "low" | "normal" | "high";
                                    /**
                                     * @description Resolved is final.
                                     * @enum {string}
                                     */
                                    status: "open" | "resolved";
                                    /** @description It is shown with calls until it is resolved. */
                                    requires_ack: boolean;
                                    /** @description Message that it replies to. */
                                    reply_to?: string;
                                    /** @description Session that recorded the call which posted it. */
                                    author_session_id?: string;
                                    /** @description Beginning of the text. */
                                    excerpt: string;
                                    /** @description The text is longer. */
                                    truncated: boolean;
                                }[];
                                /** @description How many there are. */
                                total: number;
                                /** @description There are more than items. */
                                truncated: boolean;
                            };
                            /** @description Urgent first, then oldest. */
                            open_risks: {
                                /** @description The first of them. */
                                items: {
                                    /** @description The message. */
                                    message_id: string;
                                    /** @description When it was posted, ms since 1970. */
                                    created_at: number;
                                    /**
                                     * @description Urgency.
                                     * @enum {string}
                                     */
                                    priority: "low" | "normal" | "high";
                                    /**
                                     * @description Resolved is final.
                                     * @enum {string}
                                     */
                                    status: "open" | "resolved";
                                    /** @description It is shown with calls until it is resolved. */
                                    requires_ack: boolean;
                                    /** @description Message that it replies to. */
                                    reply_to?: string;
                                    /** @description Session that recorded the call which posted it. */
                                    author_session_id?: string;
                                    /** @description Beginning of the text. */
                                    excerpt: string;
                                    /** @description The text is longer. */
                                    truncated: boolean;
                                }[];
                                /** @description How many there are. */
                                total: number;
                                /** @description There are more than items. */
                                truncated: boolean;
                            };
                            /** @description Urgent first, then oldest. */
                            open_todos: {
                                /** @description The first of them. */
                                items: {
                                    /** @description The message. */
                                    message_id: string;
                                    /** @description When it was posted, ms since 1970. */
                                    created_at: number;
                                    /**
                                     * @description Urgency.
                                     * @enum {string}
                                     */
                                    priority: "low" | "normal" | "high";
                                    /**
                                     * @description Resolved is final.
                                     * @enum {string}
                                     */
                                    status: "open" | "resolved";
                                    /** @description It is shown with calls until it is resolved. */
                                    requires_ack: boolean;
                                    /** @description Message that it replies to. */
                                    reply_to?: string;
                                    /** @description Session that recorded the call which posted it. */
                                    author_session_id?: string;
                                    /** @description Beginning of the text. */
                                    excerpt: string;
                                    /** @description The text is longer. */
                                    truncated: boolean;
                                }[];
                                /** @description How many there are. */
                                total: number;
                                /** @description There are more than items. */
                                truncated: boolean;
                            };
                            /** @description Oldest first. */
                            high_priority_open_todos: {
                                /** @description The first of them. */
                                items: {
                                    /** @description The message. */
                                    message_id: string;
                                    /** @description When it was posted, ms since 1970. */
                                    created_at: number;
                                    /**
                                     * @description Urgency.
                                     * @enum {string}
                                     */
                                    priority: "low" | "normal" | "high";
                                    /**
                                     * @description Resolved is final.
                                     * @enum {string}
                                     */
                                    status: "open" | "resolved";
                                    /** @description It is shown with calls until it is resolved. */
                                    requires_ack: boolean;
                                    /** @description Message that it replies to. */
                                    reply_to?: string;
                                    /** @description Session that recorded the call which posted it. */
                                    author_session_id?: string;
                                    /** @description Beginning of the text. */
                                    excerpt: string;
                                    /** @description The text is longer. */
                                    truncated: boolean;
                                }[];
                                /** @description How many there are. */
                                total: number;
                                /** @description There are more than items. */
                                truncated: boolean;
                            };
                            /** @description Newest first, whatever their state. */
                            recent_answers: {
                                /** @description The first of them. */
                                items: {
                                    /** @description The message. */
                                    message_id: string;
                                    /** @description When it was posted, ms since 1970. */
                                    created_at: number;
                                    /**
                                     * @description Urgency.
                                     * @enum {string}
                                     */
                                    priority: "low" | "normal" | "high";
                                    /**
                                     * @description Resolved is final.
                                     * @enum {string}
                                     */
                                    status: "open" | "resolved";
                                    /** @description It is shown with calls until it is resolved. */
                                    requires_ack: boolean;
                                    /** @description Message that it replies to. */
                                    reply_to?: string;
                                    /** @description Session that recorded the call which posted it. */
                                    author_session_id?: string;
                                    /** @description Beginning of the text. */
                                    excerpt: string;
                                    /** @description The text is longer. */
                                    truncated: boolean;
                                }[];
                                /** @description How many there are. */
                                total: number;
                                /** @description There are more than items. */
                                truncated: boolean;
                            };
                            /** @description Answers that completed a todo, newest first. */
                            recent_completions: {
                                /** @description The first of them. */
                                items: {
                                    /** @description The message. */
                                    message_id: string;
                                    /** @description When it was posted, ms since 1970. */
                                    created_at: number;
                                    /**
                                     * @description Urgency.
                                     * @enum {string}
                                     */
                                    priority: "low" | "normal" | "high";
                                    /**
                                     * @description Resolved is final.
                                     * @enum {string}
                                     */
                                    status: "open" | "resolved";
                                    /** @description It is shown with calls until it is resolved. */
                                    requires_ack: boolean;
                                    /** @description Message that it replies to. */
                                    reply_to?: string;
                                    /** @description Session that recorded the call which posted it. */
                                    author_session_id?: string;
                                    /** @description Beginning of the text. */
                                    excerpt: string;
                                    /** @description The text is longer. */
                                    truncated: boolean;
                                    /** @description Todo that it completed. */
                                    completed_message_id: string;
                                }[];
                                /** @description How many there are. */
                                total: number;
                                /** @description There are more than items. */
                                truncated: boolean;
                            };
                            /** @description Newest first, whatever their state. */
                            recent_progress: {
                                /** @description The first of them. */
                                items: {
                                    /** @description The message. */
                                    message_id: string;
                                    /** @description When it was posted, ms since 1970. */
                                    created_at: number;
                                    /**
                                     * @description Urgency.
                                     * @enum {string}
                                     */
                                    priority: "low" | "normal" | "high";
                                    /**
                                     * @description Resolved is final.
                                     * @enum {string}
                                     */
                                    status: "open" | "resolved";
                                    /** @description It is shown with calls until it is resolved. */
                                    requires_ack: boolean;
                                    /** @description Message that it replies to. */
                                    reply_to?: string;
                                    /** @description Session that recorded the call which posted it. */
                                    author_session_id?: string;
                                    /** @description Beginning of the text. */
                                    excerpt: string;
                                    /** @description The text is longer. */
                                    truncated: boolean;
                                }[];
                                /** @description How many there are. */
                                total: number;
                                /** @description There are more than items. */
                                truncated: boolean;
                            };
                            /** @description Newest first, whatever their state. */
                            recent_decisions: {
                                /** @description The first of them. */
                                items: {
                                    /** @description The message. */
                                    message_id: string;
                                    /** @description When it was posted, ms since 1970. */
                                    created_at: number;
                                    /**
                                     * @description Urgency.
                                     * @enum {string}
                                     */
                                    priority: "low" | "normal" | "high";
                                    /**
                                     * @description Resolved is final.
                                     * @enum {string}
                                     */
                                    status: "open" | "resolved";
                                    /** @description It is shown with calls until it is resolved. */
                                    requires_ack: boolean;
                                    /** @description Message that it replies to. */
                                    reply_to?: string;
                                    /** @description Session that recorded the call which posted it. */
                                    author_session_id?: string;
                                    /** @description Beginning of the text. */
                                    excerpt: string;
                                    /** @description The text is longer. */
                                    truncated: boolean;
                                }[];
                                /** @description How many there are. */
                                total: number;
                                /** @description There are more than items. */
                                truncated: boolean;
                            };
                            /** @description Stored messages that cannot be read. */
                            unreadable?: number;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    complete_session_message: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Session whose board it is. */
                    session_id: string;
                    /** @description The message. */
                    message_id: string;
                    /** @description What was done; becomes a message of kind answer. */
                    answer: string;
                    /** @description Names this intent: a repeat with equal content returns the first answer. */
                    completion_key: string;
                    /** @description assignment_fence of get_session_assignment, which call_read_tool runs where it is not listed. */
                    expected_assignment_fence: string;
                    /** @description Tags; empty and repeated ones are dropped. */
                    tags?: string[];
                    /**
                     * @description Urgency.
                     * @default normal
                     * @enum {string}
                     */
                    priority?: "low" | "normal" | "high";
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Session of the board. */
                            session_id: string;
                            /** @description The todo. */
                            message_id: string;
                            /** @description This call completed it. */
                            state_changed: boolean;
                            /** @description The answer. */
                            answer_message_id?: string;
                            /** @description The intent, by key. */
                            completion_id?: string;
                            /** @description An earlier call completed it with the same key and content. */
                            replayed?: boolean;
                            /** @description Secrets masked in the stored texts. */
                            redactions?: number;
                            /** @description What it is now; beside assignment_stale only. */
                            current_assignment?: {
                                /** @description The todo. */
                                todo: {
                                    /** @description The message. */
                                    message_id: string;
                                    /** @description When it was posted, ms since 1970. */
                                    created_at: number;
                                    /**
                                     * @description What it is.
                                     * @enum {string}
                                     */
                                    kind: "note" | "proposal" | "question" | "answer" | "decision" | "risk" | "progress" | "guidance" | "todo";
                                    /**
                                     * @description Resolved is final.
                                     * @enum {string}
                                     */
                                    status: "open" | "resolved";
                                    /**
                                     * @description Urgency.
                                     * @enum {string}
                                     */
                                    priority: "low" | "normal" | "high";
                                    /** @description Text. */
                                    message: string;
                                    /** @description Tags. */
                                    tags: string[];
                                    /** @description Message that it replies to. */
                                    reply_to?: string;
                                    /** @description It is shown with calls until it is resolved. */
                                    requires_ack: boolean;
                                    /** @description First acknowledgement, ms since 1970. */
                                    first_ack_observed_at?: number;
                                    /** @description Session that recorded the call which posted it. */
                                    author_session_id?: string;
                                    /** @description When it was resolved, ms since 1970. */
                                    resolved_at?: number;
                                    /** @description How it was resolved. */
                                    resolution?: string;
                                    /** @description Answer that completed it. */
                                    resolved_by_message_id?: string;
                                    /** @description Intent that completed it. */
                                    completion_id?: string;
                                    /**
                                     * @description Texts are cut here.
                                     * @constant
                                     */
                                    message_truncated?: true;
                                };
                                /** @description Its direct replies, oldest first. */
                                direct_replies: {
                                    /** @description The message. */
                                    message_id: string;
                                    /** @description When it was posted, ms since 1970. */
                                    created_at: number;
                                    /**
                                     * @description What it is.
                                     * @enum {string}
                                     */
                                    kind: "note" | "proposal" | "question" | "answer" | "decision" | "risk" | "progress" | "guidance" | "todo";
                                    /**
                                     * @description Resolved is final.
                                     * @enum {string}
                                     */
                                    status: "open" | "resolved";
                                    /**
                                     * @description Urgency.
                                     * @enum {string}
                                     */
                                    priority: "low" | "normal" | "high";
                                    /** @description Text. */
                                    message: string;
                                    /** @description Tags. */
                                    tags: string[];
                                    /** @description Message that it replies to. */
                                    reply_to?: string;
                                    /** @description It is shown with calls until it is resolved. */
                                    requires_ack: boolean;
                                    /** @description First acknowledgement, ms since 1970. */
                                    first_ack_observed_at?: number;
                                    /** @description Session that recorded the call which posted it. */
                                    author_session_id?: string;
                                    /** @description When it was resolved, ms since 1970. */
                                    resolved_at?: number;
                                    /** @description How it was resolved. */
                                    resolution?: string;
                                    /** @description Answer that completed it. */
                                    resolved_by_message_id?: string;
                                    /** @description Intent that completed it. */
                                    completion_id?: string;
                                    /**
                                     * @description Texts are cut here.
                                     * @constant
                                     */
                                    message_truncated?: true;
                                }[];
                                /**
                                 * @description There are more.
                                 * @constant
                                 */
                                direct_replies_truncated?: true;
                            };
                            /** @description Its fence now, while the todo is open. */
                            fresh_assignment_fence?: string;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    work_on_project: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project?: string;
                    /** @description Runner of path; local for this machine. */
                    client_id?: string;
                    /** @description Absolute path of a directory, with client_id. */
                    path?: string;
                    /** @description Managed worktree to adopt, with mode worktree. */
                    worktree_id?: string;
                    /**
                     * @description Where to work: in place, or in a worktree.
                     * @default checkout
                     * @enum {string}
                     */
                    mode?: "checkout" | "worktree";
                    /** @description Commit that a new worktree starts from. */
                    base_ref?: string;
                    /** @description What is to be done, 1 to 4000 characters. */
                    instruction: string;
                    /** @description Session to continue; left out: a new one. */
                    session_id?: string;
                    /**
                     * @description New ones are normal, continued ones keep theirs.
                     * @enum {string}
                     */
                    session_mode?: "normal" | "read_only";
                    /** @description Defaults of commands: default_cwd (relative to the root), default_shell, resource (SSH); replaces the whole, {} clears. */
                    execution_context?: {
                        /** @description Default folder, relative to the project root. */
                        default_cwd?: string;
                        /**
                         * @description Default shell of commands.
                         * @enum {string}
                         */
                        default_shell?: "sh" | "bash";
                        /** @description SSH resource that commands run on. */
                        resource?: string;
                    };
                    /**
                     * @description With instruction files.
                     * @default true
                     */
                    include_project_instructions?: boolean;
                    /**
                     * @description With workflow guidance.
                     * @default true
                     */
                    include_workflow_guidance?: boolean;
                    /**
                     * @description With skills and memory.
                     * @default true
                     */
                    include_extension_catalog?: boolean;
                    /**
                     * @description Guidance profile.
                     * @default direct
                     * @enum {string}
                     */
                    guidance_profile?: "direct";
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description The Session to name in further calls. */
                            session_id: string;
                            /** @description Project slug. */
                            project: string;
                            /**
                             * @description Whether the Session is new.
                             * @enum {string}
                             */
                            continuation: "created" | "resumed_explicitly";
                            /** @description Only for a directory. */
                            project_resolution?: {
                                /**
                                 * @description What became of the directory.
                                 * @enum {string}
                                 */
                                outcome: "auto_registered" | "reused_existing_registration";
                                /** @description Runner that owns it. */
                                client_id: string;
                            };
                            /**
                             * @description Only when it is not normal.
                             * @enum {string}
                             */
                            session_mode?: "normal" | "read_only";
                            /** @description Only when one holds. */
                            guards?: {
                                /** @description Tools that change the workspace are refused. */
                                deny_write_tools: boolean;
                                /** @description Tools that run commands are refused. */
                                deny_shell_tools: boolean;
                            };
                            /** @description Only when something is set. */
                            execution_context?: {
                                /** @description Default folder of commands. */
                                default_cwd?: string;
                                /**
                                 * @description Default shell of commands.
                                 * @enum {string}
                                 */
                                default_shell?: "sh" | "bash";
                                /** @description SSH resource that commands run on. */
                                resource?: string;
                            };
                            /** @description What a continued Session's board wants to be seen. */
                            attention?: {
                                /** @description Session of the board. */
                                session_id: string;
                                /** @description Messages wait to be seen. */
                                requires_ack: boolean;
                                /** @description The most urgent, the oldest first. */
                                messages: {
                                    /** @description The message. */
                                    message_id: string;
                                    /**
                                     * @description What it is.
                                     * @enum {string}
                                     */
                                    kind: "note" | "proposal" | "question" | "answer" | "decision" | "risk" | "progress" | "guidance" | "todo";
                                    /**
                                     * @description Urgency.
                                     * @enum {string}
                                     */
                                    priority: "low" | "normal" | "high";
                                    /** @description When it was posted, ms since 1970. */
                                    created_at: number;
                                    /** @description Text. */
                                    message: string;
                                    /** @description The text is cut here. */
                                    message_truncated: boolean;
                                }[];
                                /** @description Messages that are not listed. */
                                omitted_count: number;
                                /** @description Something is cut or not listed. */
                                truncated: boolean;
                                /** @description What became of ack_session_message_ids. */
                                ack: {
                                    /** @description Ids that named such a message. */
                                    accepted_count: number;
                                    /** @description Ids that did not. */
                                    ignored_count: number;
                                };
                            };
                            /** @description The workspace as it was just before the commit. */
                            workspace: {
                                /**
                                 * @description Whether the facts could be read.
                                 * @enum {string}
                                 */
                                status: "available" | "not_requested" | "unavailable";
                                /** @description Why facts are missing. */
                                reason_code: ("not_git" | "git_failed" | "timed_out" | "workspace_missing" | "runner_unavailable" | "no_project") | null;
                                /** @description Branch. */
                                branch: string | null;
                                /** @description Commit of HEAD. */
                                head: string | null;
                                detached: boolean | null;
                                dirty: boolean | null;
                                conflicted: boolean | null;
                                ahead: number | null;
                                behind: number | null;
                                changed_count: number | null;
                                untracked_count: number | null;
                            };
                            /** @description Whether work can begin. */
                            readiness: {
                                /**
                                 * @description fail if any reason is one, else warn if there is any.
                                 * @enum {string}
                                 */
                                status: "pass" | "warn" | "fail";
                                /** @description The workspace cannot be worked in as it is. */
                                blocking: boolean;
                                /** @description Sorted. */
                                reasons: ("active_jobs_present" | "git_baseline_unavailable" | "jobs_recovering" | "workspace_conflicts" | "workspace_dirty" | "workspace_unavailable")[];
                            };
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    run_process: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project: string;
                    /** @description Its Session; defaults hold. */
                    session_id?: string;
                    /** @description Name or path. */
                    executable: string;
                    /**
                     * @description Arguments.
                     * @default []
                     */
                    args?: string[];
                    /** @description Relative to the Project root. */
                    cwd?: string;
                    /** @description Added. */
                    env?: {
                        /** @description Name. */
                        name: string;
                        /** @description Value. */
                        value: string;
                    }[];
                    /** @description Its input. */
                    stdin?: string;
                    /** @description Shown per stream: lines matching grep (RE2), then keep n (head_tail: head, tail), then max_chars. */
                    budget?: {
                        /** @description Only lines that match. */
                        grep?: {
                            /** @description RE2 pattern, matched per line. */
                            pattern: string;
                            /**
                             * @description Lines around a match.
                             * @default 0
                             */
                            context?: number;
                        };
                        /** @description Of these lines, which to keep. */
                        keep?: {
                            /**
                             * @description Which end of the lines is kept.
                             * @enum {string}
                             */
                            mode: "all" | "tail" | "head" | "head_tail";
                            /** @description Lines of head or tail; of each where head_tail names none. */
                            n?: number;
                            /** @description head_tail: first lines. */
                            head?: number;
                            /** @description head_tail: last lines. */
                            tail?: number;
                        };
                        /** @description Then most characters a stream. */
                        max_chars?: number;
                    };
                    /**
                     * @description To do with processes it leaves.
                     * @default end
                     * @enum {string}
                     */
                    background?: "end" | "keep";
                    /**
                     * @description Label in the record.
                     * @enum {string}
                     */
                    purpose?: "validation" | "test" | "build" | "format" | "release" | "diagnostic" | "operation" | "other";
                    /**
                     * @description Only judged in the record.
                     * @enum {string}
                     */
                    result_expectation?: "success" | "failure" | "observe";
                    /** @description Check's name. */
                    assertion_name?: string;
                    /** @description Only judged in the record; non-zero still fails. */
                    accepted_exit_codes?: number[];
                    /**
                     * @description Seconds until it is ended.
                     * @default 300
                     */
                    timeout_secs?: number;
                    /** @description Seconds to wait before it goes on as a Job. */
                    sync_wait_secs?: number;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            job_id: string;
                            /** @enum {string} */
                            status: "queued" | "running" | "stop_requested" | "recovering" | "completed" | "failed" | "timed_out" | "stopped" | "cancelled" | "lost";
                            terminal: boolean;
                            /** @enum {string} */
                            execution_state: "not_started" | "running" | "completed" | "timed_out" | "cancelled" | "outcome_unknown";
                            outcome?: {
                                /** @constant */
                                kind: "exited";
                                exit_code: number;
                            } | {
                                /** @constant */
                                kind: "signaled";
                                signal: string;
                                core_dumped?: boolean;
                            } | {
                                /** @constant */
                                kind: "timed_out";
                                after_ms: number;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "cancelled";
                                by: string;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "lost";
                                reason: string;
                            } | {
                                /** @constant */
                                kind: "unknown";
                                reason: string;
                            };
                            exit_code: number | null;
                            signal?: string;
                            stdout: string;
                            stderr: string;
                            bytes_total?: {
                                stdout: number;
                                stderr: number;
                            };
                            lines_total?: {
                                stdout: number;
                                stderr: number;
                            };
                            truncated: boolean;
                            timed_out: boolean;
                            duration_ms: number;
                            cwd: string;
                            effective_timeout_secs?: number;
                            queued_ms?: number;
                            /** @constant */
                            promoted_to_job?: true;
                            observation_token?: string;
                            executor?: {
                                /** @enum {string} */
                                kind: "local" | "ssh";
                                label: string;
                            };
                            /** @enum {string} */
                            shell?: "sh" | "bash";
                            queue_position?: number;
                            expectation?: {
                                declared: ("success" | "failure" | "observe") | null;
                                accepted_exit_codes?: number[];
                                /** @enum {string} */
                                classification: "none" | "matched_expected_result" | "matched_expected_failure" | "expectation_mismatch" | "unexpected_success" | "unexpected_failure";
                                satisfied: boolean | null;
                            };
                            budget?: {
                                stdout?: {
                                    mode: string;
                                    lines_total: number;
                                    lines_kept: number;
                                };
                                stderr?: {
                                    mode: string;
                                    lines_total: number;
                                    lines_kept: number;
                                };
                            };
                            hint?: string;
                            binary?: {
                                /** @constant */
                                stdout?: true;
                                /** @constant */
                                stderr?: true;
                            };
                            ended_background?: {
                                pid: number;
                                command: string;
                            }[];
                            ended_background_total?: number;
                            background?: {
                                pid: number;
                                command: string;
                            }[];
                            background_total?: number;
                            survivors?: {
                                pid: number;
                                started_at: number;
                                command: string;
                            }[];
                            survivors_total?: number;
                            /** @constant */
                            replayed?: true;
                            /** @constant */
                            recovered?: true;
                            /** @constant */
                            output_gap?: true;
                            /** @enum {string} */
                            tracking?: "cgroup" | "session";
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    run_script: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project: string;
                    /** @description Its Session; defaults hold. */
                    session_id?: string;
                    /**
                     * @description Interpreter.
                     * @enum {string}
                     */
                    language: "sh" | "bash" | "python" | "javascript" | "typescript" | "powershell";
                    /** @description Its text. */
                    script: string;
                    /**
                     * @description Arguments.
                     * @default []
                     */
                    args?: string[];
                    /** @description Relative to the Project root. */
                    cwd?: string;
                    /** @description Added. */
                    env?: {
                        /** @description Name. */
                        name: string;
                        /** @description Value. */
                        value: string;
                    }[];
                    /** @description Its input. */
                    stdin?: string;
                    /** @description Shown per stream: lines matching grep (RE2), then keep n (head_tail: head, tail), then max_chars. */
                    budget?: {
                        /** @description Only lines that match. */
                        grep?: {
                            /** @description RE2 pattern, matched per line. */
                            pattern: string;
                            /**
                             * @description Lines around a match.
                             * @default 0
                             */
                            context?: number;
                        };
                        /** @description Of these lines, which to keep. */
                        keep?: {
                            /**
                             * @description Which end of the lines is kept.
                             * @enum {string}
                             */
                            mode: "all" | "tail" | "head" | "head_tail";
                            /** @description Lines of head or tail; of each where head_tail names none. */
                            n?: number;
                            /** @description head_tail: first lines. */
                            head?: number;
                            /** @description head_tail: last lines. */
                            tail?: number;
                        };
                        /** @description Then most characters a stream. */
                        max_chars?: number;
                    };
                    /**
                     * @description To do with processes it leaves.
                     * @default end
                     * @enum {string}
                     */
                    background?: "end" | "keep";
                    /**
                     * @description Label in the record.
                     * @enum {string}
                     */
                    purpose?: "validation" | "test" | "build" | "format" | "release" | "diagnostic" | "operation" | "other";
                    /**
                     * @description Only judged in the record.
                     * @enum {string}
                     */
                    result_expectation?: "success" | "failure" | "observe";
                    /** @description Check's name. */
                    assertion_name?: string;
                    /**
                     * @description Seconds until it is ended.
                     * @default 300
                     */
                    timeout_secs?: number;
                    /** @description Seconds to wait before it goes on as a Job. */
                    sync_wait_secs?: number;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            job_id: string;
                            /** @enum {string} */
                            status: "queued" | "running" | "stop_requested" | "recovering" | "completed" | "failed" | "timed_out" | "stopped" | "cancelled" | "lost";
                            terminal: boolean;
                            /** @enum {string} */
                            execution_state: "not_started" | "running" | "completed" | "timed_out" | "cancelled" | "outcome_unknown";
                            outcome?: {
                                /** @constant */
                                kind: "exited";
                                exit_code: number;
                            } | {
                                /** @constant */
                                kind: "signaled";
                                signal: string;
                                core_dumped?: boolean;
                            } | {
                                /** @constant */
                                kind: "timed_out";
                                after_ms: number;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "cancelled";
                                by: string;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "lost";
                                reason: string;
                            } | {
                                /** @constant */
                                kind: "unknown";
                                reason: string;
                            };
                            exit_code: number | null;
                            signal?: string;
                            stdout: string;
                            stderr: string;
                            bytes_total?: {
                                stdout: number;
                                stderr: number;
                            };
                            lines_total?: {
                                stdout: number;
                                stderr: number;
                            };
                            truncated: boolean;
                            timed_out: boolean;
                            duration_ms: number;
                            cwd: string;
                            effective_timeout_secs?: number;
                            queued_ms?: number;
                            /** @constant */
                            promoted_to_job?: true;
                            observation_token?: string;
                            executor?: {
                                /** @enum {string} */
                                kind: "local" | "ssh";
                                label: string;
                            };
                            /** @enum {string} */
                            shell?: "sh" | "bash";
                            queue_position?: number;
                            expectation?: {
                                declared: ("success" | "failure" | "observe") | null;
                                accepted_exit_codes?: number[];
                                /** @enum {string} */
                                classification: "none" | "matched_expected_result" | "matched_expected_failure" | "expectation_mismatch" | "unexpected_success" | "unexpected_failure";
                                satisfied: boolean | null;
                            };
                            budget?: {
                                stdout?: {
                                    mode: string;
                                    lines_total: number;
                                    lines_kept: number;
                                };
                                stderr?: {
                                    mode: string;
                                    lines_total: number;
                                    lines_kept: number;
                                };
                            };
                            hint?: string;
                            binary?: {
                                /** @constant */
                                stdout?: true;
                                /** @constant */
                                stderr?: true;
                            };
                            ended_background?: {
                                pid: number;
                                command: string;
                            }[];
                            ended_background_total?: number;
                            background?: {
                                pid: number;
                                command: string;
                            }[];
                            background_total?: number;
                            survivors?: {
                                pid: number;
                                started_at: number;
                                command: string;
                            }[];
                            survivors_total?: number;
                            /** @constant */
                            replayed?: true;
                            /** @constant */
                            recovered?: true;
                            /** @constant */
                            output_gap?: true;
                            /** @enum {string} */
                            tracking?: "cgroup" | "session";
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    run_shell: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project: string;
                    /** @description Its Session; defaults hold. */
                    session_id?: string;
                    /** @description Shell text. */
                    command: string;
                    /**
                     * @description Default bash.
                     * @enum {string}
                     */
                    shell?: "sh" | "bash";
                    /** @description Relative to the Project root. */
                    cwd?: string;
                    /** @description Added. */
                    env?: {
                        /** @description Name. */
                        name: string;
                        /** @description Value. */
                        value: string;
                    }[];
                    /** @description Its input. */
                    stdin?: string;
                    /** @description Shown per stream: lines matching grep (RE2), then keep n (head_tail: head, tail), then max_chars. */
                    budget?: {
                        /** @description Only lines that match. */
                        grep?: {
                            /** @description RE2 pattern, matched per line. */
                            pattern: string;
                            /**
                             * @description Lines around a match.
                             * @default 0
                             */
                            context?: number;
                        };
                        /** @description Of these lines, which to keep. */
                        keep?: {
                            /**
                             * @description Which end of the lines is kept.
                             * @enum {string}
                             */
                            mode: "all" | "tail" | "head" | "head_tail";
                            /** @description Lines of head or tail; of each where head_tail names none. */
                            n?: number;
                            /** @description head_tail: first lines. */
                            head?: number;
                            /** @description head_tail: last lines. */
                            tail?: number;
                        };
                        /** @description Then most characters a stream. */
                        max_chars?: number;
                    };
                    /**
                     * @description To do with processes it leaves.
                     * @default end
                     * @enum {string}
                     */
                    background?: "end" | "keep";
                    /**
                     * @description Label in the record.
                     * @enum {string}
                     */
                    purpose?: "validation" | "test" | "build" | "format" | "release" | "diagnostic" | "operation" | "other";
                    /**
                     * @description Only judged in the record.
                     * @enum {string}
                     */
                    result_expectation?: "success" | "failure" | "observe";
                    /** @description Check's name. */
                    assertion_name?: string;
                    /**
                     * @description Seconds until it is ended.
                     * @default 300
                     */
                    timeout_secs?: number;
                    /** @description Seconds to wait before it goes on as a Job. */
                    sync_wait_secs?: number;
                    /** @description Named resource. */
                    resource?: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            job_id: string;
                            /** @enum {string} */
                            status: "queued" | "running" | "stop_requested" | "recovering" | "completed" | "failed" | "timed_out" | "stopped" | "cancelled" | "lost";
                            terminal: boolean;
                            /** @enum {string} */
                            execution_state: "not_started" | "running" | "completed" | "timed_out" | "cancelled" | "outcome_unknown";
                            outcome?: {
                                /** @constant */
                                kind: "exited";
                                exit_code: number;
                            } | {
                                /** @constant */
                                kind: "signaled";
                                signal: string;
                                core_dumped?: boolean;
                            } | {
                                /** @constant */
                                kind: "timed_out";
                                after_ms: number;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "cancelled";
                                by: string;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "lost";
                                reason: string;
                            } | {
                                /** @constant */
                                kind: "unknown";
                                reason: string;
                            };
                            exit_code: number | null;
                            signal?: string;
                            stdout: string;
                            stderr: string;
                            bytes_total?: {
                                stdout: number;
                                stderr: number;
                            };
                            lines_total?: {
                                stdout: number;
                                stderr: number;
                            };
                            truncated: boolean;
                            timed_out: boolean;
                            duration_ms: number;
                            cwd: string;
                            effective_timeout_secs?: number;
                            queued_ms?: number;
                            /** @constant */
                            promoted_to_job?: true;
                            observation_token?: string;
                            executor?: {
                                /** @enum {string} */
                                kind: "local" | "ssh";
                                label: string;
                            };
                            /** @enum {string} */
                            shell?: "sh" | "bash";
                            queue_position?: number;
                            expectation?: {
                                declared: ("success" | "failure" | "observe") | null;
                                accepted_exit_codes?: number[];
                                /** @enum {string} */
                                classification: "none" | "matched_expected_result" | "matched_expected_failure" | "expectation_mismatch" | "unexpected_success" | "unexpected_failure";
                                satisfied: boolean | null;
                            };
                            budget?: {
                                stdout?: {
                                    mode: string;
                                    lines_total: number;
                                    lines_kept: number;
                                };
                                stderr?: {
                                    mode: string;
                                    lines_total: number;
                                    lines_kept: number;
                                };
                            };
                            hint?: string;
                            binary?: {
                                /** @constant */
                                stdout?: true;
                                /** @constant */
                                stderr?: true;
                            };
                            ended_background?: {
                                pid: number;
                                command: string;
                            }[];
                            ended_background_total?: number;
                            background?: {
                                pid: number;
                                command: string;
                            }[];
                            background_total?: number;
                            survivors?: {
                                pid: number;
                                started_at: number;
                                command: string;
                            }[];
                            survivors_total?: number;
                            /** @constant */
                            replayed?: true;
                            /** @constant */
                            recovered?: true;
                            /** @constant */
                            output_gap?: true;
                            /** @enum {string} */
                            tracking?: "cgroup" | "session";
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    run_job: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project: string;
                    /** @description Its Session; defaults hold. */
                    session_id?: string;
                    /** @description Shell text. */
                    command: string;
                    /**
                     * @description Default bash.
                     * @enum {string}
                     */
                    shell?: "sh" | "bash";
                    /** @description Relative to the Project root. */
                    cwd?: string;
                    /** @description Added. */
                    env?: {
                        /** @description Name. */
                        name: string;
                        /** @description Value. */
                        value: string;
                    }[];
                    /** @description Its input. */
                    stdin?: string;
                    /** @description Shown per stream: lines matching grep (RE2), then keep n (head_tail: head, tail), then max_chars. */
                    budget?: {
                        /** @description Only lines that match. */
                        grep?: {
                            /** @description RE2 pattern, matched per line. */
                            pattern: string;
                            /**
                             * @description Lines around a match.
                             * @default 0
                             */
                            context?: number;
                        };
                        /** @description Of these lines, which to keep. */
                        keep?: {
                            /**
                             * @description Which end of the lines is kept.
                             * @enum {string}
                             */
                            mode: "all" | "tail" | "head" | "head_tail";
                            /** @description Lines of head or tail; of each where head_tail names none. */
                            n?: number;
                            /** @description head_tail: first lines. */
                            head?: number;
                            /** @description head_tail: last lines. */
                            tail?: number;
                        };
                        /** @description Then most characters a stream. */
                        max_chars?: number;
                    };
                    /**
                     * @description To do with processes it leaves.
                     * @default end
                     * @enum {string}
                     */
                    background?: "end" | "keep";
                    /**
                     * @description Label in the record.
                     * @enum {string}
                     */
                    purpose?: "validation" | "test" | "build" | "format" | "release" | "diagnostic" | "operation" | "other";
                    /**
                     * @description Only judged in the record.
                     * @enum {string}
                     */
                    result_expectation?: "success" | "failure" | "observe";
                    /** @description Check's name. */
                    assertion_name?: string;
                    /**
                     * @description Seconds until it is ended.
                     * @default 3600
                     */
                    timeout_secs?: number;
                    /** @description Equal key and content: the same Job. */
                    idempotency_key?: string;
                    /** @description Named resource. */
                    resource?: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            job_id: string;
                            /** @enum {string} */
                            status: "queued" | "running" | "stop_requested" | "recovering" | "completed" | "failed" | "timed_out" | "stopped" | "cancelled" | "lost";
                            terminal: boolean;
                            /** @enum {string} */
                            execution_state: "not_started" | "running" | "completed" | "timed_out" | "cancelled" | "outcome_unknown";
                            outcome?: {
                                /** @constant */
                                kind: "exited";
                                exit_code: number;
                            } | {
                                /** @constant */
                                kind: "signaled";
                                signal: string;
                                core_dumped?: boolean;
                            } | {
                                /** @constant */
                                kind: "timed_out";
                                after_ms: number;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "cancelled";
                                by: string;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "lost";
                                reason: string;
                            } | {
                                /** @constant */
                                kind: "unknown";
                                reason: string;
                            };
                            exit_code: number | null;
                            signal?: string;
                            stdout: string;
                            stderr: string;
                            bytes_total?: {
                                stdout: number;
                                stderr: number;
                            };
                            lines_total?: {
                                stdout: number;
                                stderr: number;
                            };
                            truncated: boolean;
                            timed_out: boolean;
                            duration_ms: number;
                            cwd: string;
                            effective_timeout_secs?: number;
                            queued_ms?: number;
                            /** @constant */
                            promoted_to_job?: true;
                            observation_token?: string;
                            executor?: {
                                /** @enum {string} */
                                kind: "local" | "ssh";
                                label: string;
                            };
                            /** @enum {string} */
                            shell?: "sh" | "bash";
                            queue_position?: number;
                            expectation?: {
                                declared: ("success" | "failure" | "observe") | null;
                                accepted_exit_codes?: number[];
                                /** @enum {string} */
                                classification: "none" | "matched_expected_result" | "matched_expected_failure" | "expectation_mismatch" | "unexpected_success" | "unexpected_failure";
                                satisfied: boolean | null;
                            };
                            budget?: {
                                stdout?: {
                                    mode: string;
                                    lines_total: number;
                                    lines_kept: number;
                                };
                                stderr?: {
                                    mode: string;
                                    lines_total: number;
                                    lines_kept: number;
                                };
                            };
                            hint?: string;
                            binary?: {
                                /** @constant */
                                stdout?: true;
                                /** @constant */
                                stderr?: true;
                            };
                            ended_background?: {
                                pid: number;
                                command: string;
                            }[];
                            ended_background_total?: number;
                            background?: {
                                pid: number;
                                command: string;
                            }[];
                            background_total?: number;
                            survivors?: {
                                pid: number;
                                started_at: number;
                                command: string;
                            }[];
                            survivors_total?: number;
                            /** @constant */
                            replayed?: true;
                            /** @constant */
                            recovered?: true;
                            /** @constant */
                            output_gap?: true;
                            /** @enum {string} */
                            tracking?: "cgroup" | "session";
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    run_detached_process: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project: string;
                    /** @description Its Session; defaults hold. */
                    session_id?: string;
                    /** @description Name or path. */
                    executable: string;
                    /**
                     * @description Arguments.
                     * @default []
                     */
                    args?: string[];
                    /** @description Equal key and content: the same Job. */
                    idempotency_key: string;
                    /** @description Relative to the Project root. */
                    cwd?: string;
                    /** @description Added. */
                    env?: {
                        /** @description Name. */
                        name: string;
                        /** @description Value. */
                        value: string;
                    }[];
                    /** @description Its input. */
                    stdin?: string;
                    /** @description Shown per stream: lines matching grep (RE2), then keep n (head_tail: head, tail), then max_chars. */
                    budget?: {
                        /** @description Only lines that match. */
                        grep?: {
                            /** @description RE2 pattern, matched per line. */
                            pattern: string;
                            /**
                             * @description Lines around a match.
                             * @default 0
                             */
                            context?: number;
                        };
                        /** @description Of these lines, which to keep. */
                        keep?: {
                            /**
                             * @description Which end of the lines is kept.
                             * @enum {string}
                             */
                            mode: "all" | "tail" | "head" | "head_tail";
                            /** @description Lines of head or tail; of each where head_tail names none. */
                            n?: number;
                            /** @description head_tail: first lines. */
                            head?: number;
                            /** @description head_tail: last lines. */
                            tail?: number;
                        };
                        /** @description Then most characters a stream. */
                        max_chars?: number;
                    };
                    /**
                     * @description To do with processes it leaves.
                     * @default end
                     * @enum {string}
                     */
                    background?: "end" | "keep";
                    /**
                     * @description Label in the record.
                     * @enum {string}
                     */
                    purpose?: "validation" | "test" | "build" | "format" | "release" | "diagnostic" | "operation" | "other";
                    /**
                     * @description Seconds until it is ended.
                     * @default 86400
                     */
                    timeout_secs?: number;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            job_id: string;
                            /** @enum {string} */
                            status: "queued" | "running" | "stop_requested" | "recovering" | "completed" | "failed" | "timed_out" | "stopped" | "cancelled" | "lost";
                            terminal: boolean;
                            /** @enum {string} */
                            execution_state: "not_started" | "running" | "completed" | "timed_out" | "cancelled" | "outcome_unknown";
                            outcome?: {
                                /** @constant */
                                kind: "exited";
                                exit_code: number;
                            } | {
                                /** @constant */
                                kind: "signaled";
                                signal: string;
                                core_dumped?: boolean;
                            } | {
                                /** @constant */
                                kind: "timed_out";
                                after_ms: number;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "cancelled";
                                by: string;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "lost";
                                reason: string;
                            } | {
                                /** @constant */
                                kind: "unknown";
                                reason: string;
                            };
                            exit_code: number | null;
                            signal?: string;
                            stdout: string;
                            stderr: string;
                            bytes_total?: {
                                stdout: number;
                                stderr: number;
                            };
                            lines_total?: {
                                stdout: number;
                                stderr: number;
                            };
                            truncated: boolean;
                            timed_out: boolean;
                            duration_ms: number;
                            cwd: string;
                            effective_timeout_secs?: number;
                            queued_ms?: number;
                            /** @constant */
                            promoted_to_job?: true;
                            observation_token?: string;
                            executor?: {
                                /** @enum {string} */
                                kind: "local" | "ssh";
                                label: string;
                            };
                            /** @enum {string} */
                            shell?: "sh" | "bash";
                            queue_position?: number;
                            expectation?: {
                                declared: ("success" | "failure" | "observe") | null;
                                accepted_exit_codes?: number[];
                                /** @enum {string} */
                                classification: "none" | "matched_expected_result" | "matched_expected_failure" | "expectation_mismatch" | "unexpected_success" | "unexpected_failure";
                                satisfied: boolean | null;
                            };
                            budget?: {
                                stdout?: {
                                    mode: string;
                                    lines_total: number;
                                    lines_kept: number;
                                };
                                stderr?: {
                                    mode: string;
                                    lines_total: number;
                                    lines_kept: number;
                                };
                            };
                            hint?: string;
                            binary?: {
                                /** @constant */
                                stdout?: true;
                                /** @constant */
                                stderr?: true;
                            };
                            ended_background?: {
                                pid: number;
                                command: string;
                            }[];
                            ended_background_total?: number;
                            background?: {
                                pid: number;
                                command: string;
                            }[];
                            background_total?: number;
                            survivors?: {
                                pid: number;
                                started_at: number;
                                command: string;
                            }[];
                            survivors_total?: number;
                            /** @constant */
                            replayed?: true;
                            /** @constant */
                            recovered?: true;
                            /** @constant */
                            output_gap?: true;
                            /** @enum {string} */
                            tracking?: "cgroup" | "session";
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    job_log: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The Job. */
                    job_id: string;
                    /** @description Mode: last lines; default mode with 200. */
                    tail_lines?: number;
                    /** @description Mode: from this line on, 1-based; negative counts from the end. */
                    from_line?: number;
                    /** @description With from_line; default 500. */
                    max_lines?: number;
                    /** @description Mode: from this offset on; with grep_pattern, where to begin. */
                    from_byte?: number;
                    /** @description With from_byte; default 65536. */
                    max_bytes?: number;
                    /** @description Mode: lines that match this RE2 pattern. */
                    grep_pattern?: string;
                    /** @description With grep_pattern: lines around a match. */
                    context_lines?: number;
                    /** @description With grep_pattern; default 100. */
                    max_matches?: number;
                    /** @description Token of an earlier answer: only what came after it. */
                    after_observation_token?: string;
                    /**
                     * @description from_line and from_byte need one.
                     * @default both
                     * @enum {string}
                     */
                    stream?: "stdout" | "stderr" | "both";
                    /**
                     * @description clean takes terminal control sequences out.
                     * @default clean
                     * @enum {string}
                     */
                    view?: "clean" | "raw";
                    /**
                     * @description base64 needs view raw.
                     * @default text
                     * @enum {string}
                     */
                    encoding?: "text" | "base64";
                    /** @description Seconds to wait for something new; with a token or from_byte only. */
                    wait_secs?: number;
                    /**
                     * @description What ends the wait.
                     * @default change
                     * @enum {string}
                     */
                    wake_on?: "change" | "terminal";
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            job_id: string;
                            /** @enum {string} */
                            status: "queued" | "running" | "stop_requested" | "recovering" | "completed" | "failed" | "timed_out" | "stopped" | "cancelled" | "lost";
                            terminal: boolean;
                            outcome?: {
                                /** @constant */
                                kind: "exited";
                                exit_code: number;
                            } | {
                                /** @constant */
                                kind: "signaled";
                                signal: string;
                                core_dumped?: boolean;
                            } | {
                                /** @constant */
                                kind: "timed_out";
                                after_ms: number;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "cancelled";
                                by: string;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "lost";
                                reason: string;
                            } | {
                                /** @constant */
                                kind: "unknown";
                                reason: string;
                            };
                            exit_code?: number | null;
                            /** @enum {string} */
                            log_delta_status: "baseline" | "delta" | "unchanged" | "reset";
                            stdout?: {
                                text?: string;
                                base64?: string;
                                from_byte: number;
                                next_byte: number;
                                from_line?: number;
                                next_line?: number;
                                /**
                                 * @description The last line shown is longer than a page: its rest is at next_byte (from_byte), the line after it is next_line.
                                 * @constant
                                 */
                                line_cut?: true;
                                bytes_total: number;
                                lines_total: number;
                                dropped_bytes: number;
                                gap?: {
                                    from_byte: number;
                                    to_byte: number;
                                };
                                matches?: {
                                    /** @description Absent where it cannot be known behind dropped bytes. */
                                    line?: number;
                                    byte: number;
                                    text: string;
                                    before: string[];
                                    after: string[];
                                }[];
                                more: boolean;
                                complete: boolean;
                            };
                            stderr?: {
                                text?: string;
                                base64?: string;
                                from_byte: number;
                                next_byte: number;
                                from_line?: number;
                                next_line?: number;
                                /**
                                 * @description The last line shown is longer than a page: its rest is at next_byte (from_byte), the line after it is next_line.
                                 * @constant
                                 */
                                line_cut?: true;
                                bytes_total: number;
                                lines_total: number;
                                dropped_bytes: number;
                                gap?: {
                                    from_byte: number;
                                    to_byte: number;
                                };
                                matches?: {
                                    /** @description Absent where it cannot be known behind dropped bytes. */
                                    line?: number;
                                    byte: number;
                                    text: string;
                                    before: string[];
                                    after: string[];
                                }[];
                                more: boolean;
                                complete: boolean;
                            };
                            observation_token: string;
                            /** @enum {string} */
                            output_state: "available" | "evicted";
                            /** @enum {string} */
                            wait_outcome?: "changed" | "terminal" | "timeout";
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    observe_jobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The Jobs, each once. */
                    items: {
                        /** @description The Job. */
                        job_id: string;
                        /** @description Token of an earlier answer: only what came after it. */
                        after_observation_token?: string;
                    }[];
                    /**
                     * @description Last lines of a Job without token.
                     * @default 40
                     */
                    tail_lines?: number;
                    /** @description Seconds to wait for something new. */
                    wait_secs?: number;
                    /**
                     * @description What ends the wait.
                     * @default change
                     * @enum {string}
                     */
                    wake_on?: "change" | "terminal";
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            results: {
                                job_id: string;
                                ok: boolean;
                                error_kind?: string;
                                /** @enum {string} */
                                status?: "queued" | "running" | "stop_requested" | "recovering" | "completed" | "failed" | "timed_out" | "stopped" | "cancelled" | "lost";
                                terminal?: boolean;
                                outcome?: {
                                    /** @constant */
                                    kind: "exited";
                                    exit_code: number;
                                } | {
                                    /** @constant */
                                    kind: "signaled";
                                    signal: string;
                                    core_dumped?: boolean;
                                } | {
                                    /** @constant */
                                    kind: "timed_out";
                                    after_ms: number;
                                    then: {
                                        exit_code?: number;
                                        signal?: string;
                                        survivors: {
                                            pid: number;
                                            started_at: number;
                                            command: string;
                                        }[];
                                    };
                                } | {
                                    /** @constant */
                                    kind: "cancelled";
                                    by: string;
                                    then: {
                                        exit_code?: number;
                                        signal?: string;
                                        survivors: {
                                            pid: number;
                                            started_at: number;
                                            command: string;
                                        }[];
                                    };
                                } | {
                                    /** @constant */
                                    kind: "lost";
                                    reason: string;
                                } | {
                                    /** @constant */
                                    kind: "unknown";
                                    reason: string;
                                };
                                exit_code?: number | null;
                                /** @enum {string} */
                                log_delta_status?: "baseline" | "delta" | "unchanged" | "reset";
                                stdout?: {
                                    text?: string;
                                    from_byte: number;
                                    next_byte: number;
                                    from_line?: number;
                                    next_line?: number;
                                    /**
                                     * @description The last line shown is longer than a page: its rest is at next_byte (from_byte), the line after it is next_line.
                                     * @constant
                                     */
                                    line_cut?: true;
                                    bytes_total: number;
                                    lines_total: number;
                                    dropped_bytes: number;
                                    gap?: {
                                        from_byte: number;
                                        to_byte: number;
                                    };
                                    more: boolean;
                                    complete: boolean;
                                };
                                stderr?: {
                                    text?: string;
                                    from_byte: number;
                                    next_byte: number;
                                    from_line?: number;
                                    next_line?: number;
                                    /**
                                     * @description The last line shown is longer than a page: its rest is at next_byte (from_byte), the line after it is next_line.
                                     * @constant
                                     */
                                    line_cut?: true;
                                    bytes_total: number;
                                    lines_total: number;
                                    dropped_bytes: number;
                                    gap?: {
                                        from_byte: number;
                                        to_byte: number;
                                    };
                                    more: boolean;
                                    complete: boolean;
                                };
                                observation_token?: string;
                                /** @enum {string} */
                                output_state?: "available" | "evicted";
                            }[];
                            /** @enum {string} */
                            wait_outcome?: "changed" | "terminal" | "timeout";
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    job_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The Job. */
                    job_id: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            job_id: string;
                            /** @enum {string} */
                            kind: "process" | "script" | "shell" | "job" | "detached" | "shell_command" | "validator";
                            tool: string;
                            /** @enum {string} */
                            status: "queued" | "running" | "stop_requested" | "recovering" | "completed" | "failed" | "timed_out" | "stopped" | "cancelled" | "lost";
                            terminal: boolean;
                            outcome?: {
                                /** @constant */
                                kind: "exited";
                                exit_code: number;
                            } | {
                                /** @constant */
                                kind: "signaled";
                                signal: string;
                                core_dumped?: boolean;
                            } | {
                                /** @constant */
                                kind: "timed_out";
                                after_ms: number;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "cancelled";
                                by: string;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "lost";
                                reason: string;
                            } | {
                                /** @constant */
                                kind: "unknown";
                                reason: string;
                            };
                            exit_code?: number | null;
                            /** @enum {string} */
                            execution_state: "not_started" | "running" | "completed" | "timed_out" | "cancelled" | "outcome_unknown";
                            project?: string;
                            session_id?: string;
                            shell_id?: string;
                            /** @description Beginning of its command, while the host keeps it. */
                            summary?: string;
                            purpose?: string;
                            created_at: number;
                            started_at?: number;
                            finished_at?: number;
                            running_ms: number;
                            timeout_secs: number;
                            queue_position?: number;
                            recovering_since?: number;
                            stop_requested_at?: number;
                            /** @description A true end that was learned after it was given up. */
                            late_outcome?: {
                                /** @constant */
                                kind: "exited";
                                exit_code: number;
                            } | {
                                /** @constant */
                                kind: "signaled";
                                signal: string;
                                core_dumped?: boolean;
                            } | {
                                /** @constant */
                                kind: "timed_out";
                                after_ms: number;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "cancelled";
                                by: string;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "lost";
                                reason: string;
                            } | {
                                /** @constant */
                                kind: "unknown";
                                reason: string;
                            };
                            recovered: boolean;
                            output_gap: boolean;
                            totals?: {
                                stdout: {
                                    bytes_total: number;
                                    lines_total: number;
                                    dropped_bytes: number;
                                    masked: number;
                                };
                                stderr: {
                                    bytes_total: number;
                                    lines_total: number;
                                    dropped_bytes: number;
                                    masked: number;
                                };
                            };
                            /** @enum {string} */
                            output_state: "available" | "evicted";
                            /** @description Kept processes that live. */
                            background: {
                                pid: number;
                                command: string;
                            }[];
                            /** @description What could not be ended. */
                            survivors: {
                                pid: number;
                                started_at: number;
                                command: string;
                            }[];
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    list_jobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Only Jobs of this Project. */
                    project?: string;
                    /** @description Only Jobs of this Session. */
                    session_id?: string;
                    /** @description Only commands of this live shell. */
                    shell_id?: string;
                    /** @description Only these states; active: queued, running, recovering. */
                    status?: ("active" | "queued" | "running" | "stop_requested" | "recovering" | "completed" | "failed" | "timed_out" | "stopped" | "cancelled" | "lost")[];
                    /**
                     * @description Also Jobs whose call saw their end.
                     * @default false
                     */
                    include_quick?: boolean;
                    /**
                     * @description Most Jobs to return.
                     * @default 20
                     */
                    limit?: number;
                    /** @description next_cursor of the page before, with the same filters. */
                    cursor?: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            jobs: {
                                job_id: string;
                                /** @enum {string} */
                                kind: "process" | "script" | "shell" | "job" | "detached" | "shell_command" | "validator";
                                tool: string;
                                /** @enum {string} */
                                status: "queued" | "running" | "stop_requested" | "recovering" | "completed" | "failed" | "timed_out" | "stopped" | "cancelled" | "lost";
                                terminal: boolean;
                                outcome?: {
                                    /** @constant */
                                    kind: "exited";
                                    exit_code: number;
                                } | {
                                    /** @constant */
                                    kind: "signaled";
                                    signal: string;
                                    core_dumped?: boolean;
                                } | {
                                    /** @constant */
                                    kind: "timed_out";
                                    after_ms: number;
                                    then: {
                                        exit_code?: number;
                                        signal?: string;
                                        survivors: {
                                            pid: number;
                                            started_at: number;
                                            command: string;
                                        }[];
                                    };
                                } | {
                                    /** @constant */
                                    kind: "cancelled";
                                    by: string;
                                    then: {
                                        exit_code?: number;
                                        signal?: string;
                                        survivors: {
                                            pid: number;
                                            started_at: number;
                                            command: string;
                                        }[];
                                    };
                                } | {
                                    /** @constant */
                                    kind: "lost";
                                    reason: string;
                                } | {
                                    /** @constant */
                                    kind: "unknown";
                                    reason: string;
                                };
                                exit_code?: number | null;
                                /** @enum {string} */
                                execution_state: "not_started" | "running" | "completed" | "timed_out" | "cancelled" | "outcome_unknown";
                                project?: string;
                                session_id?: string;
                                shell_id?: string;
                                /** @description Beginning of its command, while the host keeps it. */
                                summary?: string;
                                purpose?: string;
                                created_at: number;
                                started_at?: number;
                                finished_at?: number;
                                running_ms: number;
                                timeout_secs: number;
                                queue_position?: number;
                                recovering_since?: number;
                                stop_requested_at?: number;
                                /** @description A true end that was learned after it was given up. */
                                late_outcome?: {
                                    /** @constant */
                                    kind: "exited";
                                    exit_code: number;
                                } | {
                                    /** @constant */
                                    kind: "signaled";
                                    signal: string;
                                    core_dumped?: boolean;
                                } | {
                                    /** @constant */
                                    kind: "timed_out";
                                    after_ms: number;
                                    then: {
                                        exit_code?: number;
                                        signal?: string;
                                        survivors: {
                                            pid: number;
                                            started_at: number;
                                            command: string;
                                        }[];
                                    };
                                } | {
                                    /** @constant */
                                    kind: "cancelled";
                                    by: string;
                                    then: {
                                        exit_code?: number;
                                        signal?: string;
                                        survivors: {
                                            pid: number;
                                            started_at: number;
                                            command: string;
                                        }[];
                                    };
                                } | {
                                    /** @constant */
                                    kind: "lost";
                                    reason: string;
                                } | {
                                    /** @constant */
                                    kind: "unknown";
                                    reason: string;
                                };
                                recovered: boolean;
                                output_gap: boolean;
                                totals?: {
                                    stdout: {
                                        bytes_total: number;
                                        lines_total: number;
                                        dropped_bytes: number;
                                        masked: number;
                                    };
                                    stderr: {
                                        bytes_total: number;
                                        lines_total: number;
                                        dropped_bytes: number;
                                        masked: number;
                                    };
                                };
                                /** @enum {string} */
                                output_state: "available" | "evicted";
                            }[];
                            /** @description Jobs that match, on all pages. */
                            total: number;
                            /** @description Cursor of the next page. */
                            next_cursor?: string;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    stop_job: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The Job. */
                    job_id: string;
                    /** @description Its Project, as a check. */
                    project?: string;
                    /**
                     * @description true, or nothing is stopped.
                     * @default false
                     */
                    confirm?: boolean;
                    /**
                     * @description Time between SIGTERM and SIGKILL.
                     * @default 2
                     */
                    grace_secs?: number;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            job_id: string;
                            /** @enum {string} */
                            status: "queued" | "running" | "stop_requested" | "recovering" | "completed" | "failed" | "timed_out" | "stopped" | "cancelled" | "lost";
                            stop_request_accepted: boolean;
                            already_finished: boolean;
                            already_stop_requested: boolean;
                            outcome?: {
                                /** @constant */
                                kind: "exited";
                                exit_code: number;
                            } | {
                                /** @constant */
                                kind: "signaled";
                                signal: string;
                                core_dumped?: boolean;
                            } | {
                                /** @constant */
                                kind: "timed_out";
                                after_ms: number;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "cancelled";
                                by: string;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "lost";
                                reason: string;
                            } | {
                                /** @constant */
                                kind: "unknown";
                                reason: string;
                            };
                            survivors: {
                                pid: number;
                                started_at: number;
                                command: string;
                            }[];
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    open_session_shell: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project: string;
                    /** @description Session it belongs to. */
                    session_id: string;
                    /** @description Where it starts. */
                    cwd?: string;
                    /**
                     * @description Default bash.
                     * @enum {string}
                     */
                    shell?: "bash" | "sh";
                    /** @description Added variables. */
                    env?: {
                        /** @description Name. */
                        name: string;
                        /** @description Value. */
                        value: string;
                    }[];
                    /** @description budget of commands that name none. */
                    output_budget?: {
                        /** @description Only lines that match. */
                        grep?: {
                            /** @description RE2 pattern, matched per line. */
                            pattern: string;
                            /**
                             * @description Lines around a match.
                             * @default 0
                             */
                            context?: number;
                        };
                        /** @description Of these lines, which to keep. */
                        keep?: {
                            /**
                             * @description Which end of the lines is kept.
                             * @enum {string}
                             */
                            mode: "all" | "tail" | "head" | "head_tail";
                            /** @description Lines of head or tail; of each where head_tail names none. */
                            n?: number;
                            /** @description head_tail: first lines. */
                            head?: number;
                            /** @description head_tail: last lines. */
                            tail?: number;
                        };
                        /** @description Then most characters a stream. */
                        max_chars?: number;
                    };
                    /**
                     * @description When the shell ends; default restore.
                     * @enum {string}
                     */
                    on_exit?: "restore" | "close";
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            shell_id: string;
                            /** @enum {string} */
                            shell: "bash" | "sh";
                            /** @enum {string} */
                            shell_state: "opening" | "running" | "recovering" | "poisoned" | "lost" | "closed";
                            cwd: string;
                            initial_cwd: string;
                            executor: {
                                /** @enum {string} */
                                kind: "local" | "ssh" | "docker";
                                label: string;
                            };
                            generation: number;
                            already_open: boolean;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    session_shell_exec: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project: string;
                    /** @description Session of the shell. */
                    session_id: string;
                    /** @description From open_session_shell. */
                    shell_id: string;
                    /** @description Shell text. */
                    command: string;
                    /**
                     * @description Seconds until it is ended.
                     * @default 300
                     */
                    timeout_secs?: number;
                    /**
                     * @description Default fail.
                     * @enum {string}
                     */
                    when_busy?: "wait" | "fail" | "detach";
                    /** @description Shown per stream: lines matching grep (RE2), then keep n (head_tail: head, tail), then max_chars. */
                    budget?: {
                        /** @description Only lines that match. */
                        grep?: {
                            /** @description RE2 pattern, matched per line. */
                            pattern: string;
                            /**
                             * @description Lines around a match.
                             * @default 0
                             */
                            context?: number;
                        };
                        /** @description Of these lines, which to keep. */
                        keep?: {
                            /**
                             * @description Which end of the lines is kept.
                             * @enum {string}
                             */
                            mode: "all" | "tail" | "head" | "head_tail";
                            /** @description Lines of head or tail; of each where head_tail names none. */
                            n?: number;
                            /** @description head_tail: first lines. */
                            head?: number;
                            /** @description head_tail: last lines. */
                            tail?: number;
                        };
                        /** @description Then most characters a stream. */
                        max_chars?: number;
                    };
                    /**
                     * @description merged: exact order.
                     * @enum {string}
                     */
                    streams?: "split" | "merged";
                    /** @description Its input. */
                    stdin?: string;
                    /** @description On a terminal. */
                    tty?: boolean;
                    /** @description Seconds to wait before it goes on as a Job. */
                    sync_wait_secs?: number;
                    /**
                     * @description Only judged in the record.
                     * @enum {string}
                     */
                    result_expectation?: "success" | "failure" | "observe";
                    /** @description First back to the start directory. */
                    reset_cwd?: boolean;
                    /**
                     * @description Label in the record.
                     * @enum {string}
                     */
                    purpose?: "validation" | "test" | "build" | "format" | "release" | "diagnostic" | "operation" | "other";
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            shell_id: string;
                            /** @enum {string} */
                            shell_state: "opening" | "running" | "recovering" | "poisoned" | "lost" | "closed";
                            busy: boolean;
                            stdout: string;
                            stderr: string;
                            exit_code: number | null;
                            duration_ms: number;
                            cwd: string;
                            truncated: boolean;
                            timed_out: boolean;
                            job_id: string;
                            /** @enum {string} */
                            execution_state: "not_started" | "running" | "completed" | "timed_out" | "cancelled" | "outcome_unknown";
                            outcome?: {
                                /** @constant */
                                kind: "exited";
                                exit_code: number;
                            } | {
                                /** @constant */
                                kind: "signaled";
                                signal: string;
                                core_dumped?: boolean;
                            } | {
                                /** @constant */
                                kind: "timed_out";
                                after_ms: number;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "cancelled";
                                by: string;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "lost";
                                reason: string;
                            } | {
                                /** @constant */
                                kind: "unknown";
                                reason: string;
                            };
                            bytes_total: {
                                stdout: number;
                                stderr: number;
                            };
                            lines_total: {
                                stdout: number;
                                stderr: number;
                            };
                            signal?: string;
                            queued_ms?: number;
                            /** @constant */
                            promoted_to_job?: true;
                            observation_token?: string;
                            budget?: {
                                stdout?: {
                                    mode: string;
                                    lines_total: number;
                                    lines_kept: number;
                                };
                                stderr?: {
                                    mode: string;
                                    lines_total: number;
                                    lines_kept: number;
                                };
                            };
                            hint?: string;
                            binary?: {
                                /** @constant */
                                stdout?: true;
                                /** @constant */
                                stderr?: true;
                            };
                            background?: {
                                pid: number;
                                command: string;
                                holds_output: boolean;
                            }[];
                            background_total?: number;
                            late_output?: {
                                job_id: string;
                                bytes: number;
                            }[];
                            shell_restarted?: {
                                /** @enum {string} */
                                reason: "exited" | "errexit" | "exec" | "signaled" | "killed_outside" | "wedged" | "unresponsive" | "host_lost" | "container_restarted" | "detached";
                                exit_code?: number;
                                signal?: string;
                                /** @enum {string} */
                                snapshot: "exit" | "idle" | "none";
                                commands_behind: number;
                                lost: string[];
                                cwd_lost?: boolean;
                            };
                            survivors?: {
                                pid: number;
                                started_at: number;
                                command: string;
                            }[];
                            survivors_total?: number;
                            /** @constant */
                            int_trap_reset?: true;
                            /** @constant */
                            cwd_deleted?: true;
                            /** @constant */
                            output_gap?: true;
                            expectation?: {
                                declared: ("success" | "failure" | "observe") | null;
                                accepted_exit_codes?: number[];
                                /** @enum {string} */
                                classification: "none" | "matched_expected_result" | "matched_expected_failure" | "expectation_mismatch" | "unexpected_success" | "unexpected_failure";
                                satisfied: boolean | null;
                            };
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    session_shell_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Slug. */
                    project: string;
                    /** @description Its shell. */
                    session_id: string;
                    /** @description Default: the live one, else the last. */
                    shell_id?: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            shell_id: string;
                            /** @enum {string} */
                            shell: "bash" | "sh";
                            /** @enum {string} */
                            shell_state: "opening" | "running" | "recovering" | "poisoned" | "lost" | "closed";
                            busy: boolean;
                            running?: {
                                job_id: string;
                                running_ms: number;
                            };
                            cwd: string;
                            initial_cwd: string;
                            executor: {
                                /** @enum {string} */
                                kind: "local" | "ssh" | "docker";
                                label: string;
                            };
                            generation: number;
                            idle_ms: number;
                            background: {
                                pid: number;
                                command: string;
                                holds_output: boolean;
                            }[];
                            close_reason?: string;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    close_session_shell: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Slug. */
                    project: string;
                    /** @description Its shell. */
                    session_id: string;
                    /** @description The shell. */
                    shell_id: string;
                    /**
                     * @description Left processes; default kill.
                     * @enum {string}
                     */
                    background?: "kill" | "keep";
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            shell_id: string;
                            /** @enum {string} */
                            shell_state: "opening" | "running" | "recovering" | "poisoned" | "lost" | "closed";
                            close_reason: string;
                            already_closed: boolean;
                            ended: number;
                            survivors: {
                                pid: number;
                                started_at: number;
                                command: string;
                            }[];
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    session_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Where it runs.
                     * @enum {string}
                     */
                    transport: "local" | "ssh" | "docker";
                    /** @description ssh: host or alias. */
                    host?: string;
                    /** @description ssh. */
                    user?: string;
                    /** @description ssh. */
                    port?: number;
                    /** @description ssh; not kept. */
                    password?: string;
                    /** @description ssh: private key. */
                    key_path?: string;
                    /** @description ssh: host key. */
                    fingerprint?: string;
                    /** @description docker: name. */
                    container?: string;
                    /** @description Where it starts. */
                    cwd?: string;
                    /**
                     * @description Default bash.
                     * @enum {string}
                     */
                    shell?: "bash" | "sh";
                    /** @description Added variables. */
                    env?: {
                        /** @description Name. */
                        name: string;
                        /** @description Value. */
                        value: string;
                    }[];
                    /** @description Default budget, as in session_exec. */
                    output_budget?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description When the shell ends; default restore.
                     * @enum {string}
                     */
                    on_exit?: "restore" | "close";
                    /** @description Only these programs (advisory). */
                    allow?: string[];
                    /** @description Not these programs (advisory). */
                    deny?: string[];
                    /** @description Closed after idling so long. */
                    idle_ttl_secs?: number;
                    /** @description Remote folder for checkpoints. */
                    workspace?: string;
                    /** @description Only these below it. */
                    paths?: string[];
                    /** @description Checkpoint before changes; default true. */
                    auto_snapshot?: boolean;
                    /** @description Patterns left out. */
                    checkpoint_ignores?: string[];
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            session_id: string;
                            /** @enum {string} */
                            transport: "local" | "ssh" | "docker";
                            /** @enum {string} */
                            shell: "bash" | "sh";
                            cwd: string;
                            created_at: number;
                            auto_snapshot?: boolean;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    session_exec: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description From session_create. */
                    session_id: string;
                    /** @description Shell text. */
                    command: string;
                    /** @description Seconds until it is ended, 1..3600. */
                    timeout_secs?: number;
                    /**
                     * @description Default wait.
                     * @enum {string}
                     */
                    when_busy?: "wait" | "fail" | "detach";
                    /** @description Shown per stream: lines matching grep (RE2), then keep n (head_tail: head, tail), then max_chars. */
                    budget?: {
                        /** @description Only lines that match. */
                        grep?: {
                            /** @description RE2 pattern, matched per line. */
                            pattern: string;
                            /**
                             * @description Lines around a match.
                             * @default 0
                             */
                            context?: number;
                        };
                        /** @description Of these lines, which to keep. */
                        keep?: {
                            /**
                             * @description Which end of the lines is kept.
                             * @enum {string}
                             */
                            mode: "all" | "tail" | "head" | "head_tail";
                            /** @description Lines of head or tail; of each where head_tail names none. */
                            n?: number;
                            /** @description head_tail: first lines. */
                            head?: number;
                            /** @description head_tail: last lines. */
                            tail?: number;
                        };
                        /** @description Then most characters a stream. */
                        max_chars?: number;
                    };
                    /**
                     * @description merged: exact order.
                     * @enum {string}
                     */
                    streams?: "split" | "merged";
                    /** @description Its input. */
                    stdin?: string;
                    /** @description On a terminal. */
                    tty?: boolean;
                    /** @description Seconds to wait before it goes on as a Job. */
                    sync_wait_secs?: number;
                    /** @description Take trailing newlines off; default true. */
                    trim?: boolean;
                    /** @description For this command. */
                    env?: {
                        /** @description Name. */
                        name: string;
                        /** @description Value. */
                        value: string;
                    }[];
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            session_id: string;
                            command: string;
                            stdout: string;
                            stderr: string;
                            exit_code: number | null;
                            duration_ms: number;
                            cwd: string;
                            truncated: boolean;
                            timed_out: boolean;
                            job_id: string;
                            /** @enum {string} */
                            execution_state: "not_started" | "running" | "completed" | "timed_out" | "cancelled" | "outcome_unknown";
                            outcome?: {
                                /** @constant */
                                kind: "exited";
                                exit_code: number;
                            } | {
                                /** @constant */
                                kind: "signaled";
                                signal: string;
                                core_dumped?: boolean;
                            } | {
                                /** @constant */
                                kind: "timed_out";
                                after_ms: number;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "cancelled";
                                by: string;
                                then: {
                                    exit_code?: number;
                                    signal?: string;
                                    survivors: {
                                        pid: number;
                                        started_at: number;
                                        command: string;
                                    }[];
                                };
                            } | {
                                /** @constant */
                                kind: "lost";
                                reason: string;
                            } | {
                                /** @constant */
                                kind: "unknown";
                                reason: string;
                            };
                            bytes_total: {
                                stdout: number;
                                stderr: number;
                            };
                            lines_total: {
                                stdout: number;
                                stderr: number;
                            };
                            signal?: string;
                            queued_ms?: number;
                            /** @constant */
                            promoted_to_job?: true;
                            observation_token?: string;
                            budget?: {
                                stdout?: {
                                    mode: string;
                                    lines_total: number;
                                    lines_kept: number;
                                };
                                stderr?: {
                                    mode: string;
                                    lines_total: number;
                                    lines_kept: number;
                                };
                            };
                            hint?: string;
                            binary?: {
                                /** @constant */
                                stdout?: true;
                                /** @constant */
                                stderr?: true;
                            };
                            background?: {
                                pid: number;
                                command: string;
                                holds_output: boolean;
                            }[];
                            background_total?: number;
                            late_output?: {
                                job_id: string;
                                bytes: number;
                            }[];
                            shell_restarted?: {
                                /** @enum {string} */
                                reason: "exited" | "errexit" | "exec" | "signaled" | "killed_outside" | "wedged" | "unresponsive" | "host_lost" | "container_restarted" | "detached";
                                exit_code?: number;
                                signal?: string;
                                /** @enum {string} */
                                snapshot: "exit" | "idle" | "none";
                                commands_behind: number;
                                lost: string[];
                                cwd_lost?: boolean;
                            };
                            survivors?: {
                                pid: number;
                                started_at: number;
                                command: string;
                            }[];
                            survivors_total?: number;
                            /** @constant */
                            int_trap_reset?: true;
                            /** @constant */
                            cwd_deleted?: true;
                            /** @constant */
                            output_gap?: true;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    session_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            sessions: {
                                session_id: string;
                                /** @enum {string} */
                                transport: "local" | "ssh" | "docker";
                                idle_secs: number;
                                /** @enum {string} */
                                state: "opening" | "running" | "recovering" | "poisoned" | "lost" | "closed";
                                busy: boolean;
                                running?: {
                                    job_id: string;
                                    running_ms: number;
                                };
                                waiting: number;
                                background: number;
                                /** @enum {string} */
                                shell: "bash" | "sh";
                                cwd: string;
                                generation: number;
                                created_at: number;
                            }[];
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    session_checkpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description From session_create. */
                    session_id: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            checkpoints: {
                                id: string;
                                label: string;
                                created: string;
                                created_at: number;
                                automatic: boolean;
                            }[];
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    session_checkpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description From session_create. */
                    session_id: string;
                    /** @description What it is. */
                    label?: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            checkpoint_id: string;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    session_destroy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description From session_create. */
                    session_id: string;
                    /**
                     * @description Left processes; default kill.
                     * @enum {string}
                     */
                    background?: "kill" | "keep";
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            destroyed: boolean;
                            ended: number;
                            kept: {
                                pid: number;
                                command: string;
                            }[];
                            survivors: {
                                pid: number;
                                started_at: number;
                                command: string;
                            }[];
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    session_restore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description From session_create. */
                    session_id: string;
                    /** @description Default: the latest. */
                    checkpoint_id?: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            restored_to: string;
                            files_changed: number;
                            removed: number;
                            safety_checkpoint_id: string;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    project_overview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project: string;
                    /** @description Session worked in. */
                    session_id?: string;
                    /** @description Directory to look at; left out: the Project root. */
                    path?: string;
                    /**
                     * @description Levels of directories.
                     * @default 2
                     */
                    max_depth?: number;
                    /**
                     * @description Most names to look at.
                     * @default 200
                     */
                    limit?: number;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description What the names say it is. */
                            project_types: {
                                /** @description Kind. */
                                type: string;
                                /** @description Path from the Project root. */
                                evidence_path: string;
                            }[];
                            /** @description Files that list its parts. */
                            manifests: string[];
                            /** @description Files for newcomers. */
                            key_files: string[];
                            /** @description Directories with a purpose. */
                            roots: {
                                /** @description Path from the Project root. */
                                path: string;
                                /**
                                 * @description Purpose.
                                 * @enum {string}
                                 */
                                role: "source" | "test" | "docs" | "config";
                            }[];
                            /** @description Names at path. */
                            top_level: {
                                /** @description Name. */
                                name: string;
                                /**
                                 * @description Kind.
                                 * @enum {string}
                                 */
                                kind: "file" | "directory" | "symlink" | "other";
                                /** @description Content is held back. */
                                sensitive?: boolean;
                                /** @description False: no tool reaches the name. */
                                addressable?: boolean;
                            }[];
                            /** @description Files worth reading first. */
                            suggested_next_reads: string[];
                            /** @description What a person should look at. */
                            warnings?: string[];
                            /** @description The repository. */
                            git: {
                                /** @description The Project has a repository. */
                                available: boolean;
                                /** @description Branch. */
                                branch?: string;
                                /** @description Full commit id. */
                                head?: string;
                                /** @description Nothing changed, nothing untracked. */
                                clean?: boolean;
                            };
                            /**
                             * @description How paths are kept inside the root.
                             * @enum {string}
                             */
                            path_confinement: "anchored" | "checked";
                            /** @description What the answer rests on. */
                            scan: {
                                /** @description Names met. */
                                entries: number;
                                /** @description More exist within the depth. */
                                truncated: boolean;
                                /** @description What was left out. */
                                skipped: {
                                    /** @description Bulk trees not entered. */
                                    bulk: number;
                                    /** @description Ignored directories not entered. */
                                    ignored: number;
                                    /** @description Names the folder guard hides. */
                                    guard: number;
                                };
                            };
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    read_files: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project: string;
                    /** @description Session worked in. */
                    session_id?: string;
                    /** @description Pages to read, in order. */
                    items: {
                        /** @description File path relative to the Project root. */
                        path: string;
                        /**
                         * @description First line, from 1.
                         * @default 1
                         */
                        start_line?: number;
                        /**
                         * @description Most lines to return.
                         * @default 2000
                         */
                        limit?: number;
                        /**
                         * @description Code points of start_line to skip.
                         * @default 0
                         */
                        start_char?: number;
                        /**
                         * @description Text encoding; left out: detected.
                         * @enum {string}
                         */
                        encoding?: "utf8" | "utf16le" | "utf16be" | "latin1" | "windows1252" | "windows1251" | "koi8_r" | "shift_jis" | "euc_jp" | "gb18030" | "big5" | "euc_kr";
                    }[];
                    /**
                     * @description Prefix each line with its number and a tab.
                     * @default false
                     */
                    with_line_numbers?: boolean;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Items in request order. */
                            items: {
                                /** @description Position in the request. */
                                index: number;
                                /** @description Normalised path. */
                                path: string;
                                /** @description False: only error follows. */
                                success: boolean;
                                /** @description The page. */
                                text?: string;
                                /**
                                 * @description Whether lines are numbered.
                                 * @enum {string}
                                 */
                                format?: "plain" | "numbered";
                                /**
                                 * @description Encoding used.
                                 * @enum {string}
                                 */
                                encoding?: "utf8" | "utf16le" | "utf16be" | "latin1" | "windows1252" | "windows1251" | "koi8_r" | "shift_jis" | "euc_jp" | "gb18030" | "big5" | "euc_kr";
                                /** @description A byte-order mark precedes the text. */
                                bom?: boolean;
                                /**
                                 * @description Line ends of the file.
                                 * @enum {string}
                                 */
                                newline?: "lf" | "crlf" | "mixed" | "none";
                                /** @description Some bytes are shown as U+FFFD. */
                                lossy?: boolean;
                                /** @description Invalid UTF-8 bytes in the page. */
                                invalid_bytes?: number;
                                /** @description Hash of all bytes on disk. */
                                sha256?: string;
                                /** @description Bytes on disk. */
                                size_bytes?: number;
                                /** @description Lines of the file. */
                                total_lines?: number;
                                /** @description First line of the page. */
                                start_line?: number;
                                /** @description Last line; start_line - 1 when empty. */
                                end_line?: number;
                                /** @description The file goes on. */
                                has_more?: boolean;
                                /** @description Where the next page starts. */
                                next?: {
                                    /** @description Line. */
                                    start_line: number;
                                    /** @description Code points into it. */
                                    start_char: number;
                                };
                                /** @description The last line is continued by next. */
                                line_cut?: boolean;
                                /** @description Real path, when a link was followed. */
                                resolved_path?: string;
                                /** @description The file is executable. */
                                executable?: boolean;
                                /** @description Secrets masked in text. */
                                redactions?: number;
                                /** @description Why the item failed. */
                                error?: {
                                    /** @description Error kind. */
                                    kind: string;
                                    /** @description Cause and next step. */
                                    message: string;
                                    /**
                                     * @description Next step.
                                     * @enum {string}
                                     */
                                    recovery: "fix_input" | "reobserve" | "retry_same" | "retry_later" | "reauthorize" | "none";
                                    /** @description Facts of the kind. */
                                    details?: {
                                        reason?: string;
                                        type?: string;
                                        size_bytes?: number;
                                        limit_bytes?: number;
                                        sha256?: string;
                                        detected?: string;
                                        errno?: string;
                                        dangling_symlink?: boolean;
                                        did_you_mean?: string[];
                                    };
                                };
                            }[];
                            /** @description Items asked for. */
                            requested_count: number;
                            /** @description Items returned. */
                            returned_count: number;
                            /** @description Items without error. */
                            succeeded_count: number;
                            /** @description Items with an error. */
                            failed_count: number;
                            /** @description Items are missing at the end. */
                            output_truncated: boolean;
                            /** @description First item that is missing. */
                            next_index?: number;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    search_project_texts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project: string;
                    /** @description Session worked in. */
                    session_id?: string;
                    /** @description Searches, answered in order. */
                    queries: {
                        /** @description RE2, matched line by line. */
                        pattern: string;
                        /**
                         * @description Take pattern as plain text.
                         * @default false
                         */
                        literal?: boolean;
                        /**
                         * @description Match in any case.
                         * @default false
                         */
                        ignore_case?: boolean;
                        /** @description Directory or file; default: the Project. */
                        path?: string;
                        /**
                         * @description Only matching files; without / by base name.
                         * @default []
                         */
                        include_globs?: string[];
                        /**
                         * @description Leave out matching files and directories.
                         * @default []
                         */
                        exclude_globs?: string[];
                        /**
                         * @description Also ignored files and bulk trees.
                         * @default false
                         */
                        include_ignored?: boolean;
                        /**
                         * @description Lines, files, or lines per file.
                         * @default matches
                         * @enum {string}
                         */
                        result_mode?: "matches" | "files_with_matches" | "count";
                        /**
                         * @description Most records.
                         * @default 100
                         */
                        limit?: number;
                        /**
                         * @description Records to skip.
                         * @default 0
                         */
                        offset?: number;
                        /**
                         * @description Lines before a match.
                         * @default 0
                         */
                        context_before?: number;
                        /**
                         * @description Lines after a match.
                         * @default 0
                         */
                        context_after?: number;
                        /**
                         * @description Returns what is found by then.
                         * @default 20
                         */
                        timeout_secs?: number;
                    }[];
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Answers in request order. */
                            items: {
                                /** @description Position in the request. */
                                index: number;
                                /** @description False: only error follows. */
                                success: boolean;
                                /** @description Matching lines in order of path and line. */
                                matches?: {
                                    /** @description File. */
                                    path: string;
                                    /** @description Line, from 1. */
                                    line: number;
                                    /** @description Of the first match, in code points, from 1. */
                                    column: number;
                                    /** @description The line round the first match. */
                                    preview: string;
                                    /** @description Lines are shown in part. */
                                    preview_cut?: boolean;
                                    /** @description Lines before. */
                                    before?: string[];
                                    /** @description Lines after. */
                                    after?: string[];
                                }[];
                                /** @description Matching files in order of path. */
                                files?: {
                                    /** @description File. */
                                    path: string;
                                    /** @description Matching lines. */
                                    match_count?: number;
                                }[];
                                /** @description Records returned. */
                                returned?: number;
                                /** @description No record follows the last one. */
                                complete?: boolean;
                                /**
                                 * @description Why more may follow.
                                 * @enum {string}
                                 */
                                truncation_reason?: "limit" | "output_bytes" | "timeout";
                                /** @description offset of the next page. */
                                next_offset?: number;
                                /** @description Matching lines in all, mode count. */
                                total_matches?: number;
                                /**
                                 * @description Engine.
                                 * @enum {string}
                                 */
                                backend?: "rg" | "native";
                                /** @description Time the search had. */
                                effective_timeout_secs?: number;
                                /** @description Classes of files left out by rule. */
                                not_searched?: ("sensitive" | "ignored" | "bulk" | "guard")[];
                                /** @description Why the search failed. */
                                error?: {
                                    /** @description Error kind. */
                                    kind: string;
                                    /** @description Cause and next step. */
                                    message: string;
                                    /**
                                     * @description Next step.
                                     * @enum {string}
                                     */
                                    recovery: "fix_input" | "reobserve" | "retry_same" | "retry_later" | "reauthorize" | "none";
                                    /** @description Facts of the kind. */
                                    details?: {
                                        reason?: string;
                                        type?: string;
                                        size_bytes?: number;
                                        limit_bytes?: number;
                                        sha256?: string;
                                        detected?: string;
                                        errno?: string;
                                        dangling_symlink?: boolean;
                                        did_you_mean?: string[];
                                    };
                                };
                            }[];
                            /** @description Items asked for. */
                            requested_count: number;
                            /** @description Items returned. */
                            returned_count: number;
                            /** @description Items without error. */
                            succeeded_count: number;
                            /** @description Items with an error. */
                            failed_count: number;
                            /** @description Items are missing at the end. */
                            output_truncated: boolean;
                            /** @description First item that is missing. */
                            next_index?: number;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    apply_text_edits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project: string;
                    /** @description Session worked in. */
                    session_id?: string;
                    /** @description Changes applied all or none */
                    changes: {
                        /**
                         * @description edit an existing, create a new, replace a whole file
                         * @enum {string}
                         */
                        kind: "edit" | "create" | "replace";
                        /** @description Path below the Project root */
                        path: string;
                        /** @description edit: exact edits of it */
                        edits?: {
                            /**
                             * @description old_text becomes new_text
                             * @enum {string}
                             */
                            kind: "replace_exact";
                            /** @description Exact original text */
                            old_text: string;
                            /** @description New text; omitted = empty */
                            new_text?: string;
                            /** @description Which match, from 1; not with all */
                            occurrence?: number;
                            /** @description Replace every match */
                            all?: boolean;
                        }[];
                        /** @description create, replace: whole new text */
                        content?: string;
                        /** @description edit, replace (required): its hash now, 16+ digits */
                        expected_sha256?: string;
                        /** @description create: set executable bits */
                        executable?: boolean;
                        /**
                         * @description Omitted = detected, UTF-8 for new content
                         * @enum {string}
                         */
                        encoding?: "utf8" | "utf16le" | "utf16be" | "latin1" | "windows1252" | "windows1251" | "koi8_r" | "shift_jis" | "euc_jp" | "gb18030" | "big5" | "euc_kr";
                        /**
                         * @description edit: adapt (default) follows its line ends
                         * @enum {string}
                         */
                        newlines?: "adapt" | "exact";
                    }[];
                    /**
                     * @description Check and plan only.
                     * @default false
                     */
                    dry_run?: boolean;
                    /**
                     * @description Return a unified diff of what changes.
                     * @default false
                     */
                    include_diff?: boolean;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Nothing was written. */
                            dry_run: boolean;
                            /** @description Changes that alter something. */
                            planned_count: number;
                            /** @description Changes that altered the disk. */
                            applied_count: number;
                            /** @description The disk was altered. */
                            changed: boolean;
                            /** @description The plan alters something. */
                            would_change: boolean;
                            /** @description Paths altered on disk. */
                            changed_paths: string[];
                            /** @description case_twin: a name differs in case alone from an existing one. */
                            warnings: string[];
                            /** @description One entry a change. */
                            files: {
                                /** @description Position of the change. */
                                index: number;
                                /**
                                 * @description Kind of the change.
                                 * @enum {string}
                                 */
                                kind: "edit" | "create" | "replace";
                                /** @description Normalised path. */
                                path: string;
                                /** @description Real path, when a link was followed. */
                                resolved_path?: string;
                                /** @description Its bytes differ, or would. */
                                changed: boolean;
                                /** @description Hash before. */
                                old_sha256?: string;
                                /** @description Hash after. */
                                new_sha256?: string;
                                /** @description Bytes after. */
                                size_bytes?: number;
                                /**
                                 * @description Encoding written.
                                 * @enum {string}
                                 */
                                encoding?: "utf8" | "utf16le" | "utf16be" | "latin1" | "windows1252" | "windows1251" | "koi8_r" | "shift_jis" | "euc_jp" | "gb18030" | "big5" | "euc_kr";
                                /**
                                 * @description Line ends after.
                                 * @enum {string}
                                 */
                                newline?: "lf" | "crlf" | "mixed" | "none";
                                /** @description Names of the old inode, when several; the others keep the old bytes. */
                                hard_links?: number;
                                /** @description Owner or group could not be kept. */
                                owner_changed?: boolean;
                                /** @description What each edit did. */
                                edits?: {
                                    /** @description Position of the edit. */
                                    index: number;
                                    /** @description Places replaced. */
                                    matches: number;
                                    /** @description First line of the first place, before. */
                                    start_line: number;
                                    /** @description Last line of the last place, before. */
                                    end_line: number;
                                    /** @description Lines of the new text. */
                                    new_line_count: number;
                                }[];
                            }[];
                            /** @description Unified diff. */
                            diff?: string;
                            /** @description The diff is not whole. */
                            diff_truncated?: boolean;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    git_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project: string;
                    /** @description Session worked in. */
                    session_id?: string;
                    /**
                     * @description Most files to list; the counts are of all.
                     * @default 200
                     */
                    limit?: number;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Where HEAD is. */
                            head: {
                                /** @description Full id. */
                                commit?: string;
                                /** @description Branch. */
                                branch?: string;
                                /** @description No branch. */
                                detached: boolean;
                                /** @description No commit yet. */
                                unborn: boolean;
                                /** @description First line of the message. */
                                subject?: string;
                            };
                            /** @description The branch followed. */
                            upstream: {
                                /**
                                 * @description State.
                                 * @enum {string}
                                 */
                                status: "available" | "absent" | "gone";
                                /** @description Name. */
                                name?: string;
                                /** @description Commits only here. */
                                ahead?: number;
                                /** @description Commits only there. */
                                behind?: number;
                            };
                            /**
                             * @description What git is in the middle of.
                             * @enum {string}
                             */
                            operation: "none" | "merge" | "rebase" | "cherry_pick" | "revert" | "bisect" | "am";
                            /** @description Nothing changed, nothing untracked, of what was checked. */
                            clean: boolean;
                            /** @description Submodules: their files are never checked. */
                            submodules_unchecked?: number;
                            /** @description Numbers of paths. */
                            counts: {
                                /** @description In the index. */
                                staged: number;
                                /** @description In files. */
                                unstaged: number;
                                /** @description Unknown to git. */
                                untracked: number;
                                /** @description Unmerged. */
                                conflicted: number;
                            };
                            /** @description Changed paths in git's order. */
                            files: {
                                /** @description Path. */
                                path: string;
                                /** @description Name before a rename. */
                                old_path?: string;
                                /**
                                 * @description HEAD to index.
                                 * @enum {string}
                                 */
                                index: "unmodified" | "modified" | "added" | "deleted" | "renamed" | "copied" | "type_changed" | "unmerged" | "untracked";
                                /**
                                 * @description Index to file.
                                 * @enum {string}
                                 */
                                worktree: "unmodified" | "modified" | "added" | "deleted" | "renamed" | "copied" | "type_changed" | "unmerged" | "untracked";
                                /**
                                 * @description Sides of a conflict.
                                 * @enum {string}
                                 */
                                conflict?: "both_deleted" | "added_by_us" | "deleted_by_them" | "added_by_them" | "deleted_by_us" | "both_added" | "both_modified";
                                /** @description A submodule. */
                                submodule?: boolean;
                                /** @description Content is held back. */
                                sensitive?: boolean;
                                /** @description Its filter is never run; the state is unsure. */
                                filter_suppressed?: boolean;
                                /** @description False: no tool reaches the name. */
                                addressable?: boolean;
                            }[];
                            /** @description Changed paths in all. */
                            files_total: number;
                            /** @description Paths are missing. */
                            files_truncated: boolean;
                            /** @description Stashes. */
                            stash_count: number;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    git_diff: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Project slug. */
                    project: string;
                    /** @description Session worked in. */
                    session_id?: string;
                    /**
                     * @description worktree: index to files; staged: HEAD to index; head: HEAD to files; range: merge base to head.
                     * @default head
                     * @enum {string}
                     */
                    mode?: "worktree" | "staged" | "head" | "range";
                    /** @description Older revision, for range. */
                    base?: string;
                    /** @description Newer revision, for range. */
                    head?: string;
                    /**
                     * @description Only these.
                     * @default []
                     */
                    paths?: string[];
                    /**
                     * @description Also untracked files, in worktree and head.
                     * @default true
                     */
                    include_untracked?: boolean;
                    /**
                     * @description stat: counts only, with the totals.
                     * @default hunks
                     * @enum {string}
                     */
                    format?: "hunks" | "stat";
                    /**
                     * @description Bytes of one page.
                     * @default 32768
                     */
                    max_bytes?: number;
                    /** @description next_continuation of the page before. */
                    continuation?: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            /** @description Where range starts. */
                            merge_base?: string;
                            /** @description Changed paths, untracked ones last. */
                            files: {
                                /** @description Path. */
                                path: string;
                                /** @description Name before a rename. */
                                old_path?: string;
                                /**
                                 * @description Kind of change.
                                 * @enum {string}
                                 */
                                status: "unmodified" | "modified" | "added" | "deleted" | "renamed" | "copied" | "type_changed" | "unmerged" | "untracked";
                                /** @description Lines added, where counted. */
                                insertions?: number;
                                /** @description Lines removed, where counted. */
                                deletions?: number;
                                /** @description No text. */
                                binary?: boolean;
                                /** @description File modes. */
                                mode_change?: {
                                    /** @description Old mode. */
                                    from: string;
                                    /** @description New mode. */
                                    to: string;
                                };
                                /**
                                 * @description Content is held back.
                                 * @enum {string}
                                 */
                                withheld?: "sensitive";
                                /** @description Its filter is never run. */
                                filter_suppressed?: boolean;
                                /** @description A submodule. */
                                submodule?: boolean;
                                /** @description False: no tool reaches the name. */
                                addressable?: boolean;
                                /** @description Changed lines. */
                                hunks?: {
                                    /** @description First old line. */
                                    old_start: number;
                                    /** @description Old lines. */
                                    old_lines: number;
                                    /** @description First new line. */
                                    new_start: number;
                                    /** @description New lines. */
                                    new_lines: number;
                                    /** @description Lines with a space, +, - or \ before them. */
                                    lines: string[];
                                    /** @description Goes on on the next page. */
                                    cut?: boolean;
                                    /** @description A line is shown in part. */
                                    line_cut?: boolean;
                                }[];
                            }[];
                            /** @description A page follows. */
                            has_more: boolean;
                            /** @description Token of the next page. */
                            next_continuation?: string;
                            /** @description Of the whole, with stat. */
                            files_total?: number;
                            /** @description Of the whole, with stat. */
                            insertions?: number;
                            /** @description Of the whole, with stat. */
                            deletions?: number;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    call_read_tool: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the tool to run, as list_tools gives it. */
                    tool: string;
                    /**
                     * @description JSON text of an object: the arguments of that tool, as tool_manifest describes them.
                     * @default {}
                     */
                    arguments_json?: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            [key: string]: unknown;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    call_tool: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the tool to run, as list_tools gives it. */
                    tool: string;
                    /**
                     * @description JSON text of an object: the arguments of that tool, as tool_manifest describes them.
                     * @default {}
                     */
                    arguments_json?: string;
                    recording_session_id?: string;
                };
            };
        };
        responses: {
            /** @description The call ran, successfully or not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        output: {
                            [key: string]: unknown;
                        };
                        attached?: components["schemas"]["Attached"];
                    } | components["schemas"]["Refusal"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createGrant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGrantBody"];
            };
        };
        responses: {
            /** @description The grant */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewCredentialReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listGrants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoBody"];
            };
        };
        responses: {
            /** @description The grants */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialsReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    revokeGrant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeBody"];
            };
        };
        responses: {
            /** @description The grant */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedCredentialReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listOperatorProjects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolInput"];
            };
        };
        responses: {
            /** @description The ToolResult */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    registerOperatorProject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolInput"];
            };
        };
        responses: {
            /** @description The ToolResult */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    unregisterOperatorProject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolInput"];
            };
        };
        responses: {
            /** @description The ToolResult */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    watchRuntime: {
        parameters: {
            query?: {
                /** @description Go on behind the event with this id. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description shell_opened, command_started, output, gap, command_ended, shell_closed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    readStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolInput"];
            };
        };
        responses: {
            /** @description The ToolResult */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTokenBody"];
            };
        };
        responses: {
            /** @description The token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewCredentialReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListTokensBody"];
            };
        };
        responses: {
            /** @description The tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialsReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeBody"];
            };
        };
        responses: {
            /** @description The token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedCredentialReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    addUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddUserBody"];
            };
        };
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    disableUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserBody"];
            };
        };
        responses: {
            /** @description The user */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisabledUserReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoBody"];
            };
        };
        responses: {
            /** @description The users */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsersReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    closeWorkflowSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolInput"];
            };
        };
        responses: {
            /** @description The ToolResult */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    summarizeWorkflowSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolInput"];
            };
        };
        responses: {
            /** @description The ToolResult */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolReply"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["Refused404"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            413: components["responses"]["Refused413"];
            415: components["responses"]["Refused415"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
}
