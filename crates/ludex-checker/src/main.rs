//! `ludex-checker FILE…`: accepts certificates (exit code 0) or rejects them (1).

use std::process::ExitCode;

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() || files.iter().any(|f| f.starts_with('-')) {
        eprintln!(
            "Usage: ludex-checker FILE...\n\nChecks certificates that `ludex prove GAME --certificate FILE` writes."
        );
        return ExitCode::from(2);
    }
    let mut code = ExitCode::SUCCESS;
    for file in files {
        let told = std::fs::read_to_string(&file).map_err(|e| e.to_string());
        match told.and_then(|text| ludex_checker::check(&text).map_err(|e| e.to_string())) {
            Ok(accepted) => println!("{accepted}"),
            Err(why) => {
                eprintln!("{file}: {why}");
                code = ExitCode::from(1);
            }
        }
    }
    code
}
