;;; Asks a real Emacs with eglot what a person would, and writes the answers as JSON for test_emacs.py to judge.
;;; Run as: emacs -Q --batch -l SNIPPET -l drive.el, with NOTES, RECORD and RESULT in the environment.  -*- lexical-binding: t -*-

(require 'json)
(require 'markdown-mode)
(defvar drive-seen nil)

(defun drive-note (key value)
  "Keep VALUE under KEY."
  (push (cons key value) drive-seen))

(defun drive-open (file)
  "Visit FILE with the server, as `eglot-ensure' does after the first command, of which there is none in batch."
  (find-file file)
  (markdown-mode)
  (unless (eglot-current-server)
    (let ((eglot-sync-connect 20))
      (apply #'eglot (eglot--guess-contact))))
  (eglot--maybe-activate-editing-mode))

(defun drive-await (what ask)
  "The first answer of ASK that is not nil; an error that names WHAT when there is none."
  (let ((tries 0) answer)
    (while (and (not (setq answer (funcall ask))) (< tries 200))
      (accept-process-output nil 0.1)
      (setq tries (1+ tries)))
    (or answer (error "Waited in vain for %s" what))))

(defun drive ()
  "The whole conversation."
  (drive-open (getenv "NOTES"))
  (drive-note 'server (plist-get (eglot--server-info (eglot-current-server)) :name))
  (goto-char (point-min))
  (search-forward "#deploy-st")
  (drive-note 'hover
              (plist-get (plist-get (drive-await
                                     "a hover"
                                     (lambda ()
                                       (jsonrpc-request (eglot-current-server) :textDocument/hover
                                                        (eglot--TextDocumentPositionParams))))
                                    :contents)
                         :value))
  (goto-char (point-max))
  (insert "🙂 手順 #deploy-w")
  (let* ((found (eglot-completion-at-point))
         (table (nth 2 found))
         (typed (buffer-substring-no-properties (nth 0 found) (point))))
    (drive-note 'typed typed)
    (drive-note 'offered (vconcat (mapcar #'substring-no-properties (all-completions typed table)))))
  (goto-char (point-min))
  (search-forward "#deploy-st")
  (xref-find-definitions "#deploy-steps")
  (drive-note 'definition (file-truename (buffer-file-name)))
  (drive-open (getenv "RECORD"))
  (drive-note 'diagnostics
              (vconcat
               (mapcar (lambda (it)
                         (list (cons 'text (substring-no-properties (flymake-diagnostic-text it)))
                               (cons 'marked (buffer-substring-no-properties (flymake-diagnostic-beg it)
                                                                             (flymake-diagnostic-end it)))))
                       (drive-await "diagnostics" #'flymake-diagnostics))))
  (drive-note 'extract
              (json-encode (eglot-execute-command (eglot-current-server) 'omoide.extract [])))
  (eglot-shutdown (eglot-current-server) nil 5))

(condition-case trouble (drive) (error (drive-note 'trouble (format "%S" trouble))))
(with-temp-file (getenv "RESULT") (insert (json-encode drive-seen)))
(dolist (buffer (buffer-list)) (with-current-buffer buffer (set-buffer-modified-p nil)))
(kill-emacs 0)
