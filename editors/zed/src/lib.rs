//! Tells Zed how to start the language server.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree, serde_json};

struct BidExtension;

impl zed::Extension for BidExtension {
    fn new() -> Self {
        Self
    }

    /// `bid lsp`, where the settings name no other program than the one on the search path.
    fn language_server_command(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let settings = LspSettings::for_worktree(server.as_ref(), worktree)?;
        let named = settings.binary.and_then(|binary| binary.path);
        let command = named
            .or_else(|| worktree.which("bid"))
            .ok_or("the program `bid` is not on the search path")?;
        Ok(Command {
            command,
            args: vec!["lsp".to_owned()],
            env: worktree.shell_env(),
        })
    }

    /// The settings of docs/editors.md, as they stand in Zed's.
    fn language_server_initialization_options(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        Ok(LspSettings::for_worktree(server.as_ref(), worktree)?.initialization_options)
    }
}

zed::register_extension!(BidExtension);
